/* What the yardstick sim_sp.c includes and does not bring along: the value of Spanish Poker's hands (SP.2 to SP.5).
   Cards 0 to 39 are 4 * rank + suit with the ranks 2 3 4 5 6 7 J Q K A, card 40 is the joker. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { HIGH, PAIR, TWO_PAIR, THREE, STRAIGHT, FULL_HOUSE, FLUSH, FOUR, STRAIGHT_FLUSH, ROYAL, CINCOS, NCAT };
#define NH 749398 /* five of 41 cards */
#define RANKS 10
#define JOKER 40

static void init_binom(void) {} /* the hands are listed in their order, so nothing has to be numbered */

static double cpu(void) { return (double)clock() / CLOCKS_PER_SEC; }

static int cmpu32(const void *one, const void *two) {
    uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)two;
    return (a > b) - (a < b);
}

static int category(const int *count, int most, int pairs, int low, int distinct, int suited) {
    int straight = distinct == 5 && low + 4 < RANKS;
    for (int r = low; straight && r < low + 5; r++) straight = count[r] == 1;
    if (most == 5) return CINCOS;
    if (suited) return !straight ? FLUSH : low == RANKS - 5 ? ROYAL : STRAIGHT_FLUSH;
    if (most == 4) return FOUR;
    if (most == 3) return pairs ? FULL_HOUSE : THREE;
    if (most == 2) return pairs == 2 ? TWO_PAIR : PAIR;
    return straight ? STRAIGHT : HIGH;
}

/* The category above all, then ranks in the order in which they are compared, eleven for each place. */
static uint32_t key_ranks(const int *count, int suited) {
    int most = 0, pairs = 0, low = RANKS, distinct = 0;
    uint32_t compared = 0;
    for (int r = RANKS - 1; r >= 0; r--)
        if (count[r]) {
            most = count[r] > most ? count[r] : most;
            pairs += count[r] == 2;
            low = r, distinct++;
        }
    for (int n = 5; n; n--)
        for (int r = RANKS - 1; r >= 0; r--)
            if (count[r] == n) compared = compared * 11 + r + 1;
    return (uint32_t)category(count, most, pairs, low, distinct, suited) << 20 | compared;
}

static uint32_t key_hand(const int *hand) {
    int count[RANKS] = {0}, suits = 15, joker = 0;
    for (int i = 0; i < 5; i++) {
        joker |= hand[i] == JOKER;
        if (hand[i] != JOKER) count[hand[i] >> 2]++, suits &= 1 << (hand[i] & 3);
    }
    if (!joker) return key_ranks(count, suits != 0);
    uint32_t best = 0;
    for (int r = 0; r < RANKS; r++) {
        if (suits && count[r]) continue; /* SP.5: in a flush the joker is a rank that the hand does not hold */
        count[r]++;
        uint32_t key = key_ranks(count, suits != 0);
        best = key > best ? key : best;
        count[r]--;
    }
    return best;
}
