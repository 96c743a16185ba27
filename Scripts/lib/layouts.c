// Compares the numbers and structures that are written out in the C modules with the system
// headers. The modules cannot use the headers, because they cannot define _GNU_SOURCE. Scripts/lint
// compiles this file for this machine and for arm64, but never runs it.
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/kcmp.h>
#include <linux/magic.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

#include "../../CModules/CLinux/shim.h"

#define SAME(ours, theirs) _Static_assert((ours) == (theirs), #theirs)

SAME(CLINUX_ATTR_IMMUTABLE, STATX_ATTR_IMMUTABLE);
SAME(CLINUX_ATTR_APPEND, STATX_ATTR_APPEND);
SAME(0x800, AT_NO_AUTOMOUNT);
SAME(0x1000, AT_EMPTY_PATH);
SAME(0x2000, AT_STATX_FORCE_SYNC);
SAME(0x4000, AT_STATX_DONT_SYNC);
// DescriptorFlags.isPathOnly reads this flag in /proc.
SAME(010000000, O_PATH);
SAME(436, SYS_close_range);
SAME(439, SYS_faccessat2);
SAME(10, F_SETSIG);
SAME(1, CLOCK_MONOTONIC);
SAME(7, CLOCK_BOOTTIME);
SAME(0, KCMP_FILE);
SAME(2, KCMP_FILES);
SAME(6, BPF_CGROUP_DEVICE);
SAME(1, BPF_F_QUERY_EFFECTIVE);
SAME(16, BPF_PROG_QUERY);
SAME(CLINUX_PROGRAM_NAME, BPF_OBJ_NAME_LEN);
SAME(0x9fa0, PROC_SUPER_MAGIC);
SAME(0x01021994, TMPFS_MAGIC);
SAME(0x858458f6, RAMFS_MAGIC);

SAME(0x001, EPOLLIN);
SAME(0x002, EPOLLPRI);
SAME(0x004, EPOLLOUT);
SAME(0x010, EPOLLHUP);
SAME(1, EPOLL_CTL_ADD);
SAME(sizeof(struct clinux_ready), sizeof(struct epoll_event));
SAME(offsetof(struct clinux_ready, id), offsetof(struct epoll_event, data));

// Seconds and nanoseconds are two values of type long.
SAME(2 * sizeof(long), sizeof(struct timespec));
