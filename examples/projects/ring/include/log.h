#ifndef LOG_H
#define LOG_H
/* Somewhere else. */
void log_event(const char *what, unsigned long number);
#endif
