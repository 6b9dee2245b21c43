#ifndef _FOLDBACK_TERMIOS_H
#define _FOLDBACK_TERMIOS_H
#include <sys/types.h>
typedef unsigned char cc_t;
typedef unsigned int speed_t;
typedef unsigned int tcflag_t;
#define NCCS 32
struct termios {
  tcflag_t c_iflag;
  tcflag_t c_oflag;
  tcflag_t c_cflag;
  tcflag_t c_lflag;
  cc_t c_line;
  cc_t c_cc[NCCS];
  speed_t c_ispeed;
  speed_t c_ospeed;
};
#define VTIME 5
#define VMIN 6
#define BRKINT 02
#define ICRNL 0400
#define INPCK 020
#define ISTRIP 040
#define IXON 02000
#define OPOST 01
#define CS8 060
#define ISIG 01
#define ICANON 02
#define ECHO 010
#define IEXTEN 0100000
#define TCSANOW 0
#define TCSADRAIN 1
#define TCSAFLUSH 2
#define TCIFLUSH 0
#define TCOFLUSH 1
#define TCIOFLUSH 2
int tcdrain(int fd);
int tcflow(int fd, int action);
int tcflush(int fd, int queue);
int tcgetattr(int fd, struct termios *settings);
int tcsendbreak(int fd, int duration);
int tcsetattr(int fd, int actions, const struct termios *settings);
#endif
