// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import static org.jruby.api.Convert.asFixnum;
import static org.jruby.api.Convert.toInt;
import static org.jruby.api.Error.argumentError;

import java.nio.ByteBuffer;
import org.jruby.RubyArray;
import org.jruby.RubyIO;
import org.jruby.RubyIOBuffer;
import org.jruby.RubyString;
import org.jruby.ext.fiber.ThreadFiber;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;
import org.jruby.util.TypeConverter;

/**
 * What fibers do with descriptors: wait for one, read and write through it, parked while it is not ready.
 *
 * <p>Thread: the owner, on the fiber that waits.
 */
final class DescriptorFibers {
    private final Descriptors descriptors;
    private final DescriptorIo io;
    private final OwnerSelector selector;

    DescriptorFibers(Descriptors descriptors, OwnerSelector selector) {
        this.descriptors = descriptors;
        this.io = new DescriptorIo(descriptors);
        this.selector = selector;
    }

    /** Waits until an IO is ready; the events that have happened, or false after a spurious wake. */
    IRubyObject ready(ThreadContext context, IRubyObject fiber, IRubyObject object, IRubyObject wanted) {
        RubyIO target = TypeConverter.ioGetIO(context.runtime, object);
        int events = await(context, fiber, target, toInt(context, wanted));
        return events == 0 ? context.fals : asFixnum(context, events);
    }

    /** Waits for the first of several IOs: three arrays, nil when that was only a look, false after a spurious wake. */
    IRubyObject select(ThreadContext context, ThreadFiber fiber, IRubyObject[] sets, boolean onlyLook) {
        DescriptorSelect call = new DescriptorSelect(context, descriptors, selector, sets);
        IRubyObject ready = call.ready(context);
        if (ready != null || onlyLook) {
            return ready == null ? context.nil : ready;
        }
        call.park(context, fiber);
        ready = call.ready(context);
        return ready == null ? context.fals : ready;
    }

    /** Reads into a buffer; how many bytes, 0 at the end, or a negative errno. */
    IRubyObject read(ThreadContext context, IRubyObject[] arguments) {
        RubyIO target = TypeConverter.ioGetIO(context.runtime, arguments[1]);
        ByteBuffer memory = window(context, arguments);
        int least = toInt(context, arguments[3]);
        int total = 0;
        while (memory.hasRemaining()) {
            awaitFully(context, arguments[0], target, Libc.POLLIN);
            int count = io.read(number(context, target), memory);
            if (count > 0) {
                total += count;
            } else if (count != -Libc.EAGAIN && count != -Libc.EINTR) {
                return asFixnum(context, total > 0 ? total : count);
            }
            if (count > 0 && total >= least) {
                break;
            }
        }
        return asFixnum(context, total);
    }

    /** Writes a buffer whole; how many bytes, or a negative errno when none could be written. */
    IRubyObject write(ThreadContext context, IRubyObject[] arguments) {
        RubyIO target = TypeConverter.ioGetIO(context.runtime, arguments[1]);
        ByteBuffer memory = window(context, arguments);
        int total = 0;
        while (memory.hasRemaining()) {
            int count = io.write(number(context, target), memory);
            if (count >= 0) {
                total += count;
            } else if (count == -Libc.EAGAIN) {
                awaitFully(context, arguments[0], target, Libc.POLLOUT);
            } else if (count != -Libc.EINTR) {
                return asFixnum(context, total > 0 ? total : count);
            }
        }
        return asFixnum(context, total);
    }

    /** Whether a read would return at once: Ruby has read ahead, or the descriptor has something, an end included. */
    boolean isReadable(ThreadContext context, IRubyObject object) {
        RubyIO target = TypeConverter.ioGetIO(context.runtime, object);
        return target.getOpenFileChecked().readPending() > 0
                || descriptors.poll(number(context, target), Libc.POLLIN) != 0;
    }

    /** Writes what the descriptor takes at once; how many bytes, or nil when it takes none. */
    IRubyObject writeNow(ThreadContext context, IRubyObject object, ByteList bytes) {
        RubyIO target = TypeConverter.ioGetIO(context.runtime, object).GetWriteIO();
        ByteBuffer source = ByteBuffer.wrap(bytes.unsafeBytes(), bytes.begin(), bytes.realSize());
        target.getOpenFileChecked().checkWritable(context);
        int count = io.write(number(context, target), source);
        if (count < 0 && count != -Libc.EAGAIN) {
            throw context.runtime.newErrnoFromInt(-count);
        }
        return count < 0 ? context.nil : asFixnum(context, count);
    }

    /**
     * Receives what a socket has: the bytes and the sender's socket address, which is empty for a stream; nil when there
     * is nothing yet.
     *
     * @throws org.jruby.exceptions.RaiseException IOError when Ruby has read ahead: the system has the later bytes
     */
    IRubyObject receive(ThreadContext context, IRubyObject object, int length, int flags) {
        RubyIO target = TypeConverter.ioGetIO(context.runtime, object);
        if (target.getOpenFileChecked().readPending() > 0) {
            throw context.runtime.newIOError("recv for buffered IO");
        }
        if (length < 0) {
            throw argumentError(context, "negative string size (or size too big)");
        }
        ByteBuffer found = ByteBuffer.allocate(Math.min(length, DescriptorIo.SCRATCH_BYTES));
        int count = io.receive(number(context, target), found, flags);
        if (count == -Libc.EAGAIN || count == -Libc.EINTR) {
            return context.nil;
        }
        if (count < 0) {
            throw context.runtime.newErrnoFromInt(-count);
        }
        return RubyArray.newArray(
                context.runtime,
                RubyString.newStringNoCopy(context.runtime, new ByteList(found.array(), 0, count, false)),
                RubyString.newStringNoCopy(context.runtime, new ByteList(io.sender(), false)));
    }

    /** Waits for the end of a child process; false when the system has no descriptors for that. */
    IRubyObject exit(ThreadContext context, IRubyObject fiber, IRubyObject process) {
        int fd = (int) Libc.C.syscall(Libc.SYS_PIDFD_OPEN, toInt(context, process), 0);
        if (fd < 0) {
            return context.fals;
        }
        DescriptorWait wait = new DescriptorWait((ThreadFiber) fiber, fd, Libc.POLLIN);
        try {
            while (descriptors.poll(fd, Libc.POLLIN) == 0 && descriptors.arm(wait)) {
                selector.park(context);
                descriptors.disarm(wait);
                wait = new DescriptorWait((ThreadFiber) fiber, fd, Libc.POLLIN);
            }
            return context.tru;
        } finally {
            descriptors.disarm(wait);
            Libc.C.close(fd);
        }
    }

    private int await(ThreadContext context, IRubyObject fiber, RubyIO target, int events) {
        int fd = number(context, target);
        DescriptorWait wait = new DescriptorWait((ThreadFiber) fiber, fd, events);
        wait.happened = descriptors.poll(fd, events);
        if (wait.happened != 0) {
            return wait.result();
        }
        if (!descriptors.arm(wait)) {
            return events;
        }
        int held = RubyDescriptor.unlock(target);
        try {
            selector.park(context);
            return wait.result();
        } finally {
            descriptors.disarm(wait);
            RubyDescriptor.lock(target, held);
        }
    }

    /** Waits until the next call need not: who else was woken by the same bytes may have taken them. */
    private void awaitFully(ThreadContext context, IRubyObject fiber, RubyIO target, int events) {
        while (descriptors.poll(number(context, target), events) == 0) {
            if (await(context, fiber, target, events) == 0) {
                context.pollThreadEvents();
            }
        }
    }

    private static int number(ThreadContext context, RubyIO target) {
        int fd = RubyDescriptor.number(target);
        if (fd < 0) {
            throw context.runtime.newIOError("stream closed in another thread");
        }
        return fd;
    }

    private static ByteBuffer window(ThreadContext context, IRubyObject[] arguments) {
        ByteBuffer memory = RubyDescriptor.memory((RubyIOBuffer) arguments[2]);
        int offset = arguments.length > 4 ? toInt(context, arguments[4]) : 0;
        return memory.position(Math.min(memory.position() + offset, memory.limit()));
    }
}
