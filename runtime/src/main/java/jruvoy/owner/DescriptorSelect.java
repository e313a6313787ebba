// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import java.util.ArrayList;
import java.util.List;
import org.jruby.RubyArray;
import org.jruby.RubyIO;
import org.jruby.api.Create;
import org.jruby.ext.fiber.ThreadFiber;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.TypeConverter;
import org.jruby.util.io.OpenFile;

/**
 * One call of IO.select: any number of IOs in three sets, and one fiber that waits until the first of them is ready.
 * What Ruby has read ahead of the program counts as readable, as the program will find it.
 *
 * <p>Thread: the owner, on the fiber that waits.
 */
final class DescriptorSelect {
    /** What the kernel's own select counts as ready in each set; the kernel reports errors whether asked or not. */
    private static final int READY_TO_READ = Libc.POLLIN | Libc.POLLERR | Libc.POLLHUP;

    private static final int READY_TO_WRITE = Libc.POLLOUT | Libc.POLLERR | Libc.POLLHUP;
    private static final int READY_WITH_PRIORITY = Libc.POLLPRI;

    private final Descriptors descriptors;
    private final OwnerSelector selector;
    private final List<Member> members = new ArrayList<>();

    /** One IO of one set, as the caller gave it and as it is watched. */
    private record Member(int set, IRubyObject given, RubyIO io, int asked, int counts) {}

    /**
     * The three sets of a call.
     *
     * @param sets arrays or nil: to read, to write, with priority data
     */
    DescriptorSelect(ThreadContext context, Descriptors descriptors, OwnerSelector selector, IRubyObject[] sets) {
        this.descriptors = descriptors;
        this.selector = selector;
        addAll(context, 0, sets[0], Libc.POLLIN, READY_TO_READ);
        addAll(context, 1, sets[1], Libc.POLLOUT, READY_TO_WRITE);
        addAll(context, 2, sets[2], Libc.POLLPRI, READY_WITH_PRIORITY);
    }

    /** Looks once. @return three arrays of what is ready, or null when nothing is */
    IRubyObject ready(ThreadContext context) {
        RubyArray<?>[] found = {Create.newArray(context), Create.newArray(context), Create.newArray(context)};
        boolean any = false;
        for (Member member : members) {
            if (isReady(context, member)) {
                found[member.set].append(context, member.given);
                any = true;
            }
        }
        return any ? Create.newArray(context, found[0], found[1], found[2]) : null;
    }

    /** Parks the fiber until something may be ready, or something else wakes it. Raises when an IO is closed. */
    void park(ThreadContext context, ThreadFiber fiber) {
        List<DescriptorWait> waits = new ArrayList<>(members.size());
        try {
            for (Member member : members) {
                arm(context, fiber, member, waits);
            }
            selector.park(context);
        } finally {
            waits.forEach(descriptors::disarm);
        }
    }

    private void arm(ThreadContext context, ThreadFiber fiber, Member member, List<DescriptorWait> waits) {
        int fd = number(context, member.io);
        // An end that is not what this set waits for would end every wait for it at once, again and again.
        if ((descriptors.poll(fd, member.asked) & ~member.counts) == 0) {
            DescriptorWait wait = new DescriptorWait(fiber, fd, member.asked);
            if (descriptors.arm(wait)) {
                waits.add(wait);
            }
        }
    }

    private boolean isReady(ThreadContext context, Member member) {
        if (member.asked == Libc.POLLIN && member.io.getOpenFileChecked().readPending() > 0) {
            return true;
        }
        return (descriptors.poll(number(context, member.io), member.asked) & member.counts) != 0;
    }

    private void addAll(ThreadContext context, int set, IRubyObject ios, int asked, int counts) {
        if (ios.isNil()) {
            return;
        }
        RubyArray<?> list = ios.convertToArray();
        for (int i = 0; i < list.getLength(); i++) {
            IRubyObject given = list.eltOk(i);
            RubyIO io = TypeConverter.ioGetIO(context.runtime, given);
            members.add(new Member(set, given, checked(context, io, asked), asked, counts));
        }
    }

    /** The side of an IO that the set is about; raises when it is closed or not open for that. */
    private static RubyIO checked(ThreadContext context, RubyIO io, int asked) {
        RubyIO side = asked == Libc.POLLOUT ? io.GetWriteIO() : io;
        OpenFile file = side.getOpenFileChecked();
        if (asked == Libc.POLLIN) {
            file.checkReadable(context);
        } else if (asked == Libc.POLLOUT) {
            file.checkWritable(context);
        }
        return side;
    }

    private static int number(ThreadContext context, RubyIO io) {
        int fd = RubyDescriptor.number(io);
        if (fd < 0) {
            throw context.runtime.newIOError("stream closed in another thread");
        }
        return fd;
    }
}
