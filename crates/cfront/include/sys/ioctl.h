#ifndef _FOLDBACK_SYS_IOCTL_H
#define _FOLDBACK_SYS_IOCTL_H
#include <features.h>
#include <bits/terminals.h>
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
#define FIOASYNC 0x5452
#define FIOCLEX 0x5451
#define FIONCLEX 0x5450
#define FIOQSIZE 0x5460
#define IOCSIZE_MASK (((1 << 14)-1) << ((0 +8)+8))
#define IOCSIZE_SHIFT (((0 +8)+8))
#define IOC_IN (1U << (((0 +8)+8)+14))
#define IOC_INOUT ((1U|2U) << (((0 +8)+8)+14))
#define IOC_OUT (2U << (((0 +8)+8)+14))
#define NCC 8
#define N_TTY 0
#define N_SLIP 1
#define N_MOUSE 2
#define N_PPP 3
#define N_STRIP 4
#define N_AX25 5
#define N_X25 6
#define N_6PACK 7
#define N_MASC 8
#define N_R3964 9
#define N_PROFIBUS_FDL 10
#define N_IRDA 11
#define N_SMSBLOCK 12
#define N_HDLC 13
#define N_SYNC_PPP 14
#define N_HCI 15
#define SIOCADDDLCI 0x8980
#define SIOCADDMULTI 0x8931
#define SIOCADDRT 0x890B
#define SIOCDARP 0x8953
#define SIOCDELDLCI 0x8981
#define SIOCDELMULTI 0x8932
#define SIOCDELRT 0x890C
#define SIOCDEVPRIVATE 0x89F0
#define SIOCDIFADDR 0x8936
#define SIOCDRARP 0x8960
#define SIOCGARP 0x8954
#define SIOCGIFADDR 0x8915
#define SIOCGIFBR 0x8940
#define SIOCGIFBRDADDR 0x8919
#define SIOCGIFCONF 0x8912
#define SIOCGIFCOUNT 0x8938
#define SIOCGIFDSTADDR 0x8917
#define SIOCGIFENCAP 0x8925
#define SIOCGIFFLAGS 0x8913
#define SIOCGIFHWADDR 0x8927
#define SIOCGIFINDEX 0x8933
#define SIOCGIFMAP 0x8970
#define SIOCGIFMEM 0x891f
#define SIOCGIFMETRIC 0x891d
#define SIOCGIFMTU 0x8921
#define SIOCGIFNAME 0x8910
#define SIOCGIFNETMASK 0x891b
#define SIOCGIFPFLAGS 0x8935
#define SIOCGIFSLAVE 0x8929
#define SIOCGIFTXQLEN 0x8942
#define SIOCGRARP 0x8961
#define SIOCPROTOPRIVATE 0x89E0
#define SIOCRTMSG 0x890D
#define SIOCSARP 0x8955
#define SIOCSIFADDR 0x8916
#define SIOCSIFBR 0x8941
#define SIOCSIFBRDADDR 0x891a
#define SIOCSIFDSTADDR 0x8918
#define SIOCSIFENCAP 0x8926
#define SIOCSIFFLAGS 0x8914
#define SIOCSIFHWADDR 0x8924
#define SIOCSIFHWBROADCAST 0x8937
#define SIOCSIFLINK 0x8911
#define SIOCSIFMAP 0x8971
#define SIOCSIFMEM 0x8920
#define SIOCSIFMETRIC 0x891e
#define SIOCSIFMTU 0x8922
#define SIOCSIFNAME 0x8923
#define SIOCSIFNETMASK 0x891c
#define SIOCSIFPFLAGS 0x8934
#define SIOCSIFSLAVE 0x8930
#define SIOCSIFTXQLEN 0x8943
#define SIOCSRARP 0x8962
#define SIOGIFINDEX SIOCGIFINDEX
#define TCFLSH 0x540B
#define TCGETA 0x5405
#define TCGETS 0x5401
#define TCGETX 0x5432
#define TCSBRK 0x5409
#define TCSBRKP 0x5425
#define TCSETA 0x5406
#define TCSETAF 0x5408
#define TCSETAW 0x5407
#define TCSETS 0x5402
#define TCSETSF 0x5404
#define TCSETSW 0x5403
#define TCSETX 0x5433
#define TCSETXF 0x5434
#define TCSETXW 0x5435
#define TCXONC 0x540A
#define TIOCCBRK 0x5428
#define TIOCCONS 0x541D
#define TIOCEXCL 0x540C
#define TIOCGDEV (((2U) << (((0 +8)+8)+14)) | ((('T')) << (0 +8)) | (((0x32)) << 0) | ((((sizeof(unsigned int)))) \
    << ((0 +8)+8)))
#define TIOCGETD 0x5424
#define TIOCGEXCL (((2U) << (((0 +8)+8)+14)) | ((('T')) << (0 +8)) | (((0x40)) << 0) | ((((sizeof(int)))) << ((0 \
    +8)+8)))
#define TIOCGICOUNT 0x545D
#define TIOCGLCKTRMIOS 0x5456
#define TIOCGPGRP 0x540F
#define TIOCGPKT (((2U) << (((0 +8)+8)+14)) | ((('T')) << (0 +8)) | (((0x38)) << 0) | ((((sizeof(int)))) << ((0 \
    +8)+8)))
#define TIOCGPTLCK (((2U) << (((0 +8)+8)+14)) | ((('T')) << (0 +8)) | (((0x39)) << 0) | ((((sizeof(int)))) << ((0 \
    +8)+8)))
#define TIOCGPTN (((2U) << (((0 +8)+8)+14)) | ((('T')) << (0 +8)) | (((0x30)) << 0) | ((((sizeof(unsigned int)))) \
    << ((0 +8)+8)))
#define TIOCGPTPEER (((0U) << (((0 +8)+8)+14)) | ((('T')) << (0 +8)) | (((0x41)) << 0) | ((0) << ((0 +8)+8)))
#define TIOCGRS485 0x542E
#define TIOCGSERIAL 0x541E
#define TIOCGSID 0x5429
#define TIOCGSOFTCAR 0x5419
#define TIOCINQ FIONREAD
#define TIOCLINUX 0x541C
#define TIOCMBIC 0x5417
#define TIOCMBIS 0x5416
#define TIOCMGET 0x5415
#define TIOCMIWAIT 0x545C
#define TIOCMSET 0x5418
#define TIOCM_LE 0x001
#define TIOCM_DTR 0x002
#define TIOCM_RTS 0x004
#define TIOCM_ST 0x008
#define TIOCM_SR 0x010
#define TIOCM_CTS 0x020
#define TIOCM_CAR 0x040
#define TIOCM_RNG 0x080
#define TIOCM_DSR 0x100
#define TIOCM_CD TIOCM_CAR
#define TIOCM_RI TIOCM_RNG
#define TIOCNOTTY 0x5422
#define TIOCNXCL 0x540D
#define TIOCOUTQ 0x5411
#define TIOCPKT 0x5420
#define TIOCPKT_DATA 0
#define TIOCPKT_FLUSHREAD 1
#define TIOCPKT_FLUSHWRITE 2
#define TIOCPKT_STOP 4
#define TIOCPKT_START 8
#define TIOCPKT_NOSTOP 16
#define TIOCPKT_DOSTOP 32
#define TIOCPKT_IOCTL 64
#define TIOCSBRK 0x5427
#define TIOCSCTTY 0x540E
#define TIOCSERCONFIG 0x5453
#define TIOCSERGETLSR 0x5459
#define TIOCSERGETMULTI 0x545A
#define TIOCSERGSTRUCT 0x5458
#define TIOCSERGWILD 0x5454
#define TIOCSERSETMULTI 0x545B
#define TIOCSERSWILD 0x5455
#define TIOCSETD 0x5423
#define TIOCSIG (((1U) << (((0 +8)+8)+14)) | ((('T')) << (0 +8)) | (((0x36)) << 0) | ((((sizeof(int)))) << ((0 \
    +8)+8)))
#define TIOCSLCKTRMIOS 0x5457
#define TIOCSPGRP 0x5410
#define TIOCSPTLCK (((1U) << (((0 +8)+8)+14)) | ((('T')) << (0 +8)) | (((0x31)) << 0) | ((((sizeof(int)))) << ((0 \
    +8)+8)))
#define TIOCSRS485 0x542F
#define TIOCSSERIAL 0x541F
#define TIOCSSOFTCAR 0x541A
#define TIOCSTI 0x5412
#define TIOCSWINSZ 0x5414
#define TIOCVHANGUP 0x5437
#define _IOC_NRBITS 8
#define _IOC_TYPEBITS 8
#define _IOC_SIZEBITS 14
#define _IOC_DIRBITS 2
#define _IOC_NRSHIFT 0
#define _IOC_TYPESHIFT 8
#define _IOC_SIZESHIFT 16
#define _IOC_DIRSHIFT 30
#define _IOC_NRMASK 0xff
#define _IOC_TYPEMASK 0xff
#define _IOC_SIZEMASK 0x3fff
#define _IOC_DIRMASK 3
#define _IOC_NONE 0U
#define _IOC_WRITE 1U
#define _IOC_READ 2U
#define _IOC(direction, type, number, size) (((direction) << 30) | ((type) << 8) | ((number) << 0) | ((size) << 16))
#define _IOC_TYPECHECK(type) (sizeof(type))
#define _IO(type, number) _IOC(_IOC_NONE, (type), (number), 0)
#define _IOR(type, number, size) _IOC(_IOC_READ, (type), (number), (_IOC_TYPECHECK(size)))
#define _IOW(type, number, size) _IOC(_IOC_WRITE, (type), (number), (_IOC_TYPECHECK(size)))
#define _IOWR(type, number, size) _IOC(_IOC_READ | _IOC_WRITE, (type), (number), (_IOC_TYPECHECK(size)))
#define _IOC_DIR(number) (((number) >> 30) & 3)
#define _IOC_TYPE(number) (((number) >> 8) & 0xff)
#define _IOC_NR(number) (((number) >> 0) & 0xff)
#define _IOC_SIZE(number) (((number) >> 16) & 0x3fff)
#define TCGETS2 _IOR('T', 0x2A, struct termios2)
#define TCSETS2 _IOW('T', 0x2B, struct termios2)
#define TCSETSW2 _IOW('T', 0x2C, struct termios2)
#define TCSETSF2 _IOW('T', 0x2D, struct termios2)
#define TIOCGISO7816 _IOR('T', 0x42, struct serial_iso7816)
#define TIOCSISO7816 _IOWR('T', 0x43, struct serial_iso7816)
#endif
