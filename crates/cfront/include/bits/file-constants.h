/* What fcntl.h and unistd.h share. */
#ifndef _FOLDBACK_FILE_CONSTANTS_H
#define _FOLDBACK_FILE_CONSTANTS_H
#define F_OK 0
#define X_OK 1
#define W_OK 2
#define R_OK 4
#define F_LOCK 1
#define F_TEST 3
#define F_TLOCK 2
#define F_ULOCK 0
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif
