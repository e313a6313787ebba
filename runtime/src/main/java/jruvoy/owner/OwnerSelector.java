// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import static org.jruby.api.Convert.asBoolean;
import static org.jruby.api.Convert.asFixnum;
import static org.jruby.api.Convert.asFloat;
import static org.jruby.api.Convert.toDouble;
import static org.jruby.api.Convert.toInt;

import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyIO;
import org.jruby.RubyObject;
import org.jruby.RubyThread;
import org.jruby.anno.JRubyMethod;
import org.jruby.ext.fiber.FiberExchange;
import org.jruby.ext.fiber.ThreadFiber;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * The event loop under Async's scheduler, and the Ruby class Jruvoy::Selector: ready fibers, descriptors, and what the
 * {@link LoopSource} brings, in one turn and one sleep.
 *
 * <p>Thread: the owner, except {@link #push}, {@link #wakeup}, {@link #closing} and {@link #pulse} (any).
 */
public final class OwnerSelector extends RubyObject {
    private static final long serialVersionUID = 1L;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final Set<OwnerSelector> OPEN = ConcurrentHashMap.newKeySet();
    private static final RubyThread.Task<OwnerSelector, Void> SLEEP = new Sleep();

    private final transient ReadyList ready = new ReadyList();
    private final transient Descriptors descriptors = new Descriptors(ready);
    private final transient DescriptorFibers waits = new DescriptorFibers(descriptors, this);
    private final transient OwnerThread owner = OwnerThread.current();
    private final transient Runnable waker = this::wakeSleeper;
    private final transient LoopTurns turns = new LoopTurns();
    private transient LoopSource source = LoopSource.NONE;
    private transient ThreadFiber loop;
    private transient long idleNanos;
    private transient long sleepNanos;
    /** Someone asked for the end of the sleep without pushing anything. Written by any, cleared by the owner. */
    private transient volatile boolean woken;

    OwnerSelector(Ruby runtime, RubyClass type) {
        super(runtime, type);
    }

    /**
     * Makes a selector.
     *
     * @param arguments the loop's fiber, which must be the thread's root fiber, and a LoopSource or nil
     */
    @JRubyMethod(required = 1, optional = 1)
    public IRubyObject initialize(ThreadContext context, IRubyObject[] arguments) {
        loop = (ThreadFiber) arguments[0];
        if (arguments.length > 1 && !arguments[1].isNil()) {
            source = arguments[1].toJava(LoopSource.class);
        }
        if (source.wakeDescriptor() >= 0 && !descriptors.register(source.wakeDescriptor())) {
            throw context.runtime.newErrnoFromInt(Libc.errno());
        }
        OPEN.add(this);
        return this;
    }

    /** The fiber of the loop, or nil when closed. */
    @JRubyMethod
    public IRubyObject loop(ThreadContext context) {
        return loop == null ? context.nil : loop;
    }

    /** Seconds that the last turn slept. */
    @JRubyMethod(name = "idle_duration")
    public IRubyObject idleDuration(ThreadContext context) {
        return asFloat(context, idleNanos / NANOS_PER_SECOND);
    }

    /**
     * Parks the calling fiber: the loop goes on until something switches back here. A wake may be spurious.
     *
     * @return what the fiber was switched back with; an exception that was sent to the fiber is raised here
     */
    @JRubyMethod(name = "transfer")
    public IRubyObject park(ThreadContext context) {
        return FiberExchange.transfer(context, loop, context.nil);
    }

    /**
     * Runs a fiber until it parks or ends. For the loop's root fiber, from {@link LoopSource#drain()}.
     *
     * @return what the fiber transferred back
     */
    public IRubyObject transfer(ThreadContext context, IRubyObject fiber, IRubyObject value) {
        return FiberExchange.transfer(context, (ThreadFiber) fiber, value);
    }

    /** Switches to a fiber at once; the caller goes on in the next turn. */
    @JRubyMethod(required = 1, rest = true)
    public IRubyObject resume(ThreadContext context, IRubyObject[] arguments) {
        ReadyEntry.OfFiber later = queueCurrent(context);
        try {
            IRubyObject[] values = Arrays.copyOfRange(arguments, 1, arguments.length);
            return FiberRepair.transfer(context, arguments[0], values);
        } finally {
            later.clear();
        }
    }

    /** Lets the other fibers run and goes on in the next turn. */
    @JRubyMethod
    public IRubyObject yield(ThreadContext context) {
        ReadyEntry.OfFiber later = queueCurrent(context);
        try {
            return park(context);
        } finally {
            later.clear();
        }
    }

    /** Raises an exception in a fiber at once; the caller goes on in the next turn. */
    @JRubyMethod(required = 1, rest = true, keywords = true)
    public IRubyObject raise(ThreadContext context, IRubyObject[] arguments) {
        ReadyEntry.OfFiber later = queueCurrent(context);
        try {
            return FiberRepair.raise(context, arguments[0], Arrays.copyOfRange(arguments, 1, arguments.length));
        } finally {
            later.clear();
        }
    }

    /** Runs a fiber, or an object that answers alive? and transfer, in the next turn. Any thread. */
    @JRubyMethod(name = "push")
    public IRubyObject push(ThreadContext context, IRubyObject target) {
        push(target);
        return this;
    }

    /** Runs a fiber, or an object that answers alive? and transfer, in the next turn. Any thread. */
    public void push(IRubyObject target) {
        push(target instanceof Waiter waiter ? waiter.wake() : ReadyEntry.of(target));
    }

    void push(ReadyEntry entry) {
        ready.push(entry);
        wakeSleeper();
    }

    /** There are no more turns: other threads that wait for one are told, and those that come later. */
    void end() {
        ready.end();
    }

    /** Whether a turn would find something to run. */
    @JRubyMethod(name = "ready?")
    public IRubyObject isReady(ThreadContext context) {
        return asBoolean(context, !ready.isEmpty());
    }

    /** Ends the current or the next sleep. Any thread. */
    @JRubyMethod
    public IRubyObject wakeup(ThreadContext context) {
        wakeup();
        return context.tru;
    }

    /** Ends the current or the next sleep. Any thread. */
    public void wakeup() {
        woken = true;
        wakeSleeper();
    }

    /** Gives the descriptors back. */
    @JRubyMethod
    public IRubyObject close(ThreadContext context) {
        OPEN.remove(this);
        loop = null;
        descriptors.close();
        return context.nil;
    }

    /** Whether the selector has been closed. */
    @JRubyMethod(name = "closed?")
    public IRubyObject isClosed(ThreadContext context) {
        return asBoolean(context, loop == null);
    }

    /**
     * One turn of the loop: what was ready when it began, what the source brings, and if that was nothing a sleep.
     *
     * @param duration seconds to sleep at most; nil is for ever, 0 does not sleep
     * @return how many things were done
     */
    @JRubyMethod(optional = 1)
    public IRubyObject select(ThreadContext context, IRubyObject[] duration) {
        long limit = duration.length == 0 || duration[0].isNil()
                ? -1
                : Math.max(0, (long) (toDouble(context, duration[0]) * NANOS_PER_SECOND));
        idleNanos = 0;
        turns.begin();
        int done = runReady(context) + source.drain();
        if (done > 0 || limit == 0 || !ready.isEmpty()) {
            letOthersRun();
            if (!descriptors.isIdle()) {
                descriptors.await(0);
            }
        } else {
            sleep(context, limit);
            done += source.drain();
        }
        return asFixnum(context, done + runReady(context));
    }

    /**
     * Waits until an IO is ready.
     *
     * @param events IO::READABLE, IO::PRIORITY, IO::WRITABLE, which are poll's bits
     * @return the events that have happened, or false after a spurious wake
     */
    @JRubyMethod(name = "io_wait")
    public IRubyObject ioWait(ThreadContext context, IRubyObject fiber, IRubyObject object, IRubyObject wanted) {
        return waits.ready(context, fiber, object, wanted);
    }

    /**
     * Waits until one of several IOs is ready.
     *
     * @param arguments fiber; to read, to write, with priority data (arrays or nil); whether only to look
     * @return three arrays; nil when only looking found nothing; false after a wake for another reason
     */
    @JRubyMethod(name = "io_select", required = 5)
    public IRubyObject ioSelect(ThreadContext context, IRubyObject[] arguments) {
        return waits.select(
                context, (ThreadFiber) arguments[0], Arrays.copyOfRange(arguments, 1, 4), arguments[4].isTrue());
    }

    /** Whether a read of an IO would return at once. */
    @JRubyMethod(name = "io_readable?")
    public IRubyObject isReadable(ThreadContext context, IRubyObject object) {
        return asBoolean(context, waits.isReadable(context, object));
    }

    /** Writes what an IO takes at once. @return how many bytes, or nil when it takes none */
    @JRubyMethod(name = "io_write_now")
    public IRubyObject ioWriteNow(ThreadContext context, IRubyObject object, IRubyObject text) {
        return waits.writeNow(context, object, text.convertToString().getByteList());
    }

    /** Receives what a socket has, at once. @return the bytes and their sender, or nil when there is nothing yet */
    @JRubyMethod(name = "io_receive")
    public IRubyObject ioReceive(ThreadContext context, IRubyObject object, IRubyObject length, IRubyObject flags) {
        return waits.receive(context, object, toInt(context, length), toInt(context, flags));
    }

    /**
     * Reads into a buffer, parking until there is something. JRuby passes the length before the offset.
     *
     * @param arguments fiber, io, buffer, the least number of bytes to read, the offset in the buffer
     * @return how many bytes, 0 at the end, or a negative errno
     */
    @JRubyMethod(name = "io_read", required = 4, optional = 1)
    public IRubyObject ioRead(ThreadContext context, IRubyObject[] arguments) {
        return waits.read(context, arguments);
    }

    /**
     * Writes a buffer whole, parking while the other side is slow.
     *
     * @param arguments fiber, io, buffer, the least number of bytes to write, the offset in the buffer
     * @return how many bytes, or a negative errno when none could be written
     */
    @JRubyMethod(name = "io_write", required = 4, optional = 1)
    public IRubyObject ioWrite(ThreadContext context, IRubyObject[] arguments) {
        return waits.write(context, arguments);
    }

    /**
     * Waits for the end of one child process by its descriptor.
     *
     * @return false when the system has no such descriptors: the caller must wait on another thread
     */
    @JRubyMethod(name = "wait_for_exit")
    public IRubyObject waitForExit(ThreadContext context, IRubyObject fiber, IRubyObject process) {
        return waits.exit(context, fiber, process);
    }

    /** Tells the waiters of an IO that it is about to be closed. */
    @JRubyMethod(name = "io_close")
    public IRubyObject ioClose(ThreadContext context, IRubyObject object) {
        closing(context, object);
        return context.nil;
    }

    /**
     * Raises IOError in every fiber, of any owner, that waits for an IO which is about to be closed. Any thread.
     */
    static void closing(ThreadContext context, IRubyObject object) {
        int fd = object instanceof RubyIO target ? RubyDescriptor.number(target) : -1;
        for (OwnerSelector selector : fd < 0 ? Set.<OwnerSelector>of() : OPEN) {
            if (selector.descriptors.close(fd, wait -> closedError(context, wait))) {
                selector.wakeSleeper();
            }
        }
    }

    private static IRubyObject closedError(ThreadContext context, DescriptorWait wait) {
        return wait.fiber == context.getFiber()
                ? null
                : context.runtime.newIOError("stream closed in another thread").getException();
    }

    /** What tells of the loop's turns. */
    OwnerPulse.Source pulse() {
        return turns;
    }

    private ReadyEntry.OfFiber queueCurrent(ThreadContext context) {
        ReadyEntry.OfFiber later = new ReadyEntry.OfFiber(context.getFiber());
        ready.push(later);
        return later;
    }

    private int runReady(ThreadContext context) {
        ready.begin();
        int done = 0;
        for (ReadyEntry entry = ready.next(); entry != null; entry = ready.next()) {
            entry.run(context);
            done++;
        }
        return done;
    }

    private void sleep(ThreadContext context, long limit) {
        if (!source.prepareSleep()) {
            return;
        }
        long start = System.nanoTime();
        sleepNanos = limit;
        turns.fallAsleep();
        try {
            if (carrierIsIdle() && ready.isEmpty() && !woken) {
                context.getThread().executeTaskBlocking(context, this, SLEEP);
            }
        } catch (InterruptedException interrupted) {
            context.pollThreadEvents();
        } finally {
            turns.wakeUp();
            woken = false;
            source.awake();
            idleNanos = System.nanoTime() - start;
        }
    }

    /** Other virtual threads of the carrier that have work get their turn. */
    private void letOthersRun() {
        if (owner != null && owner.hasWork()) {
            Thread.yield();
            FiberExchange.forgetCollected(loop);
        }
    }

    /** The sleep stops the carrier, so that nobody else of it may have work; who gets work later ends the sleep. */
    private boolean carrierIsIdle() {
        if (owner != null) {
            owner.wakeBy(waker);
            letOthersRun();
            return !owner.hasWork();
        }
        return true;
    }

    private void wakeSleeper() {
        if (turns.isSleeping()) {
            descriptors.wake();
        }
    }

    /** The sleep as JRuby's threads know it, so that Thread#raise and Thread#wakeup end it. */
    private static final class Sleep implements RubyThread.Task<OwnerSelector, Void> {
        @Override
        public Void run(ThreadContext context, OwnerSelector selector) {
            selector.descriptors.await(selector.sleepNanos);
            return null;
        }

        @Override
        public void wakeup(RubyThread thread, OwnerSelector selector) {
            selector.wakeup();
        }
    }
}
