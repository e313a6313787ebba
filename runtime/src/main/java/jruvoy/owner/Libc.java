// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import jnr.ffi.LibraryLoader;
import jnr.ffi.Runtime;

/**
 * The functions of the C library that the selector uses, bound once. Addresses are passed as {@code long}, so that no
 * call has to look into a buffer object.
 *
 * <p>Thread: any. After a result of -1 {@link #errno()} tells why, on the same thread.
 */
public interface Libc {
    /** The binding. */
    Libc C = LibraryLoader.create(Libc.class).load("c");

    /** Result and argument values, as Linux defines them on every architecture that we support. */
    int EPERM = 1;

    int ENOENT = 2;
    int EINTR = 4;
    int EAGAIN = 11;
    int EEXIST = 17;
    int EINVAL = 22;
    int ENOSYS = 38;
    int ENOTSOCK = 88;
    int POLLIN = 1;
    int POLLPRI = 2;
    int POLLOUT = 4;
    int POLLERR = 8;
    int POLLHUP = 16;
    int EPOLLONESHOT = 1 << 30;
    int EPOLL_CTL_ADD = 1;
    int EPOLL_CTL_DEL = 2;
    int EPOLL_CTL_MOD = 3;
    int CLOEXEC = 0x80000;
    int NONBLOCK = 0x800;
    int MSG_DONTWAIT = 0x40;
    int MSG_NOSIGNAL = 0x4000;
    long SYS_PIDFD_OPEN = 434;
    int P_ALL = 0;
    int P_PID = 1;
    int P_PGID = 2;
    int WSTOPPED = 2;
    int WEXITED = 4;
    int WNOWAIT = 0x1000000;

    int epoll_create1(int flags);

    int epoll_ctl(int epoll, int operation, int fd, long event);

    int epoll_wait(int epoll, long events, int count, int milliseconds);

    int epoll_pwait2(int epoll, long events, int count, long timespec, long signals);

    int eventfd(int value, int flags);

    int poll(long fds, long count, int milliseconds);

    long read(int fd, long address, long length);

    long write(int fd, long address, long length);

    long recv(int fd, long address, long length, int flags);

    long recvmsg(int fd, long message, int flags);

    long send(int fd, long address, long length, int flags);

    int close(int fd);

    long syscall(long number, long first, long second);

    int waitid(int type, int id, long info, int options);

    /** Why the last call of this thread returned -1. */
    static int errno() {
        return Runtime.getSystemRuntime().getLastError();
    }
}
