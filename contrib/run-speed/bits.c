// Checksums and random numbers: arithmetic of several widths without much memory.
#include <stdio.h>
#include <stdint.h>
static uint32_t table[256];
static unsigned char data[4096];
int main(void) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++) c = c & 1 ? 0xEDB88320u ^ (c >> 1) : c >> 1;
        table[i] = c;
    }
    uint64_t state = 88172645463325252ull;
    for (int i = 0; i < 4096; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        data[i] = (unsigned char)(state >> 24);
    }
    uint32_t crc = 0xFFFFFFFFu;
    uint16_t a = 1, b = 0;
    for (int round = 0; round < 800; round++)
        for (int i = 0; i < 4096; i++) {
            crc = table[(crc ^ data[i]) & 0xFF] ^ (crc >> 8);
            a = (uint16_t)((a + data[i]) % 65521);
            b = (uint16_t)((b + a) % 65521);
        }
    printf("%08x %04x%04x\n", crc ^ 0xFFFFFFFFu, b, a);
    return 0;
}
