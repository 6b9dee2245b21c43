#ifndef _FOLDBACK_SYS_IOCTL_H
#define _FOLDBACK_SYS_IOCTL_H
struct winsize {
  unsigned short ws_row;
  unsigned short ws_col;
  unsigned short ws_xpixel;
  unsigned short ws_ypixel;
};
#define TIOCGWINSZ 0x5413
#define FIONREAD 0x541b
#define FIONBIO 0x5421
int ioctl(int fd, unsigned long request, ...);
#endif
