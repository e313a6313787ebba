// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import java.util.Arrays;
import jnr.ffi.Memory;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;

/**
 * The descriptors that fibers of one owner wait for, and the owner's sleep: one epoll instance that the owner itself
 * waits on, so that readiness needs no second thread.
 *
 * <p>Descriptors are registered one-shot and keyed by number, since JRuby may show the same descriptor as another IO
 * object each time. A registration stays in epoll after its event, disabled; the kernel drops it when the descriptor is
 * closed.
 *
 * <p>Thread: the owner, except {@link #wake} (any) and {@link #close(int, java.util.function.Function)} (any): the table
 * is guarded by the object's lock.
 */
final class Descriptors {
    private static final int MAX_EVENTS = 64;
    /** epoll_event is packed on x86-64 only. */
    private static final boolean PACKED = "amd64".equals(System.getProperty("os.arch"));

    private static final int EVENT_BYTES = PACKED ? 12 : 16;
    private static final int DATA_OFFSET = PACKED ? 4 : 8;
    private static final int POLLFD_BYTES = 8;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final long NANOS_PER_MILLI = 1_000_000L;

    private static volatile boolean fineSleep = true;

    private final int epoll;
    private final int eventfd;
    private final ReadyList ready;
    private final Pointer events = Memory.allocateDirect(Runtime.getSystemRuntime(), MAX_EVENTS * EVENT_BYTES);
    private final Pointer change = Memory.allocateDirect(Runtime.getSystemRuntime(), EVENT_BYTES);
    private final Pointer timespec = Memory.allocateDirect(Runtime.getSystemRuntime(), 16);
    private final Pointer pollfd = Memory.allocateDirect(Runtime.getSystemRuntime(), POLLFD_BYTES);
    private final Pointer counter = Memory.allocateDirect(Runtime.getSystemRuntime(), 8);
    /** Index: descriptor. Guarded by this. */
    private DescriptorWait[] waits = new DescriptorWait[64];

    private int waiting;
    private boolean closed;

    Descriptors(ReadyList ready) {
        this.ready = ready;
        epoll = Libc.C.epoll_create1(Libc.CLOEXEC);
        eventfd = Libc.C.eventfd(0, Libc.CLOEXEC | Libc.NONBLOCK);
        counter.putLong(0, 1);
        if (epoll < 0 || eventfd < 0 || !register(eventfd)) {
            throw new IllegalStateException("no epoll instance for the owner, errno " + Libc.errno());
        }
    }

    /** Lets a descriptor end the sleep whenever it is readable; whoever owns it resets it. */
    boolean register(int fd) {
        return control(Libc.EPOLL_CTL_ADD, fd, Libc.POLLIN) == 0;
    }

    /** Ends the current or the next sleep. Any thread. */
    synchronized void wake() {
        if (!closed) {
            Libc.C.write(eventfd, counter.address(), 8);
        }
    }

    /** Whether anything is armed, so that a turn that does not sleep must look too. */
    boolean isIdle() {
        return waiting == 0;
    }

    /** What of the events a descriptor has now, in poll's bits; 0 for none. */
    int poll(int fd, int wanted) {
        pollfd.putInt(0, fd);
        pollfd.putShort(4, (short) wanted);
        pollfd.putShort(6, (short) 0);
        return Libc.C.poll(pollfd.address(), 1, 0) > 0 ? pollfd.getShort(6) & 0xffff : 0;
    }

    /**
     * Starts a wait. The waiter parks itself and calls {@link #disarm} when it goes on, whatever the reason.
     *
     * @return false when epoll cannot watch the descriptor (a regular file): it counts as ready
     */
    synchronized boolean arm(DescriptorWait wait) {
        int fd = wait.fd;
        if (fd >= waits.length) {
            waits = Arrays.copyOf(waits, Math.max(fd + 1, waits.length * 2));
        }
        wait.following = waits[fd];
        waits[fd] = wait;
        if (!rearm(fd)) {
            waits[fd] = wait.following;
            return false;
        }
        waiting++;
        return true;
    }

    /** Ends a wait, also one that was never armed. A late event of its descriptor is ignored. */
    synchronized void disarm(DescriptorWait wait) {
        wait.over = true;
        DescriptorWait before = null;
        for (DescriptorWait at = first(wait.fd); at != null; before = at, at = at.following) {
            if (at == wait) {
                unlink(before, at);
                return;
            }
        }
    }

    /**
     * Makes all waits of a descriptor that is about to be closed end with an exception.
     *
     * @param error makes the exception of one wait
     * @return whether there was any; the owner must then be woken
     */
    synchronized boolean close(
            int fd, java.util.function.Function<DescriptorWait, org.jruby.runtime.builtin.IRubyObject> error) {
        boolean any = false;
        for (DescriptorWait at = first(fd); at != null; at = at.following) {
            at.closing = error.apply(at);
            if (at.closing != null) {
                unlinkAny(at);
                ready.push(at);
                any = true;
            }
        }
        return any;
    }

    /**
     * Waits for events and makes their waits ready.
     *
     * @param nanos how long at most; 0 only looks, negative is for ever
     */
    void await(long nanos) {
        int count = nanos == 0 || !fineSleep ? coarse(nanos) : fine(nanos);
        for (int i = 0; i < count; i++) {
            int fd = (int) events.getLong((long) i * EVENT_BYTES + DATA_OFFSET);
            if (fd == eventfd) {
                Libc.C.read(eventfd, change.address(), 8);
            } else {
                dispatch(fd, events.getInt((long) i * EVENT_BYTES));
            }
        }
    }

    synchronized void close() {
        if (!closed) {
            closed = true;
            Libc.C.close(epoll);
            Libc.C.close(eventfd);
        }
    }

    private synchronized void dispatch(int fd, int happened) {
        DescriptorWait before = null;
        for (DescriptorWait at = first(fd); at != null; at = at.following) {
            if ((happened & (at.events | Libc.POLLERR | Libc.POLLHUP)) != 0) {
                at.happened = happened;
                unlink(before, at);
                ready.push(at);
            } else {
                before = at;
            }
        }
        if (before != null) {
            rearm(fd);
        }
    }

    private DescriptorWait first(int fd) {
        return fd < waits.length ? waits[fd] : null;
    }

    private void unlinkAny(DescriptorWait wait) {
        DescriptorWait before = null;
        for (DescriptorWait at = waits[wait.fd]; at != wait; at = at.following) {
            before = at;
        }
        unlink(before, wait);
    }

    /** Takes a wait out of its descriptor's list; its own link stays, for a caller that walks the list. */
    private void unlink(DescriptorWait before, DescriptorWait wait) {
        if (before == null) {
            waits[wait.fd] = wait.following;
        } else {
            before.following = wait.following;
        }
        waiting--;
    }

    private boolean rearm(int fd) {
        int wanted = Libc.EPOLLONESHOT;
        for (DescriptorWait at = waits[fd]; at != null; at = at.following) {
            wanted |= at.events;
        }
        int error = control(Libc.EPOLL_CTL_MOD, fd, wanted);
        if (error == Libc.ENOENT) {
            error = control(Libc.EPOLL_CTL_ADD, fd, wanted);
        }
        return error == 0;
    }

    /** The C library's poll and epoll agree on the values of the three events in use. @return 0 or errno */
    private int control(int operation, int fd, int wanted) {
        change.putInt(0, wanted);
        change.putLong(DATA_OFFSET, fd);
        return Libc.C.epoll_ctl(epoll, operation, fd, change.address()) == 0 ? 0 : Libc.errno();
    }

    private int fine(long nanos) {
        long timeout = 0;
        if (nanos > 0) {
            timespec.putLong(0, nanos / NANOS_PER_SECOND);
            timespec.putLong(8, nanos % NANOS_PER_SECOND);
            timeout = timespec.address();
        }
        int count = Libc.C.epoll_pwait2(epoll, events.address(), MAX_EVENTS, timeout, 0);
        if (count < 0 && Libc.errno() == Libc.ENOSYS) {
            fineSleep = false;
            return coarse(nanos);
        }
        return count;
    }

    /** Rounds up, so that a timer is never looked at before its time. */
    private int coarse(long nanos) {
        long millis = nanos < 0 ? -1 : (nanos + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI;
        return Libc.C.epoll_wait(epoll, events.address(), MAX_EVENTS, (int) Math.min(millis, Integer.MAX_VALUE));
    }
}
