/* A clock that a test sets: preloaded, it adds the seconds in a file to the time of day.

   The file is named by KLUE_CHAOS_CLOCK and holds one int64; it is mapped, so that a process sees
   at once what is written there. Clocks that measure durations are left as they are, and so are
   sleeps (libfaketime 0.9.10 breaks those of Python 3.11). */

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t *seconds;
static int64_t none;

static int64_t offset(void) {
    if (!seconds) {
        const char *path = getenv("KLUE_CHAOS_CLOCK");
        int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
        void *place = file < 0 ? MAP_FAILED : mmap(0, sizeof none, PROT_READ, MAP_SHARED, file, 0);
        if (file >= 0) close(file);
        seconds = place == MAP_FAILED ? &none : place;
    }
    return *seconds;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    long code = syscall(SYS_clock_gettime, clock, now);
    if (!code && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += offset();
    return (int)code;
}

int gettimeofday(struct timeval *now, void *zone) {
    struct timespec exact;
    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &exact)) return -1;
    now->tv_sec = exact.tv_sec;
    now->tv_usec = exact.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *place) {
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now)) return -1;
    if (place) *place = now.tv_sec;
    return now.tv_sec;
}
