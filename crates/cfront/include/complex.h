/* Complex types parse; arithmetic on them is not modelled. */
#ifndef _FOLDBACK_COMPLEX_H
#define _FOLDBACK_COMPLEX_H
#define complex _Complex
#define _Complex_I (1.0iF)
#define I _Complex_I
double cabs(double complex z);
double carg(double complex z);
double cimag(double complex z);
double creal(double complex z);
double complex cexp(double complex z);
double complex clog(double complex z);
double complex conj(double complex z);
double complex cpow(double complex x, double complex y);
double complex csqrt(double complex z);
float cabsf(float complex z);
float cimagf(float complex z);
float crealf(float complex z);
#endif
