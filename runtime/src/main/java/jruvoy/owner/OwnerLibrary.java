// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import static org.jruby.api.Convert.toInt;

import java.io.IOException;
import org.jruby.Ruby;
import org.jruby.RubyArray;
import org.jruby.RubyClass;
import org.jruby.RubyModule;
import org.jruby.RubyString;
import org.jruby.anno.JRubyMethod;
import org.jruby.api.Access;
import org.jruby.api.Create;
import org.jruby.api.Define;
import org.jruby.ext.fiber.FiberExchange;
import org.jruby.runtime.Block;
import org.jruby.runtime.ObjectAllocator;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.runtime.load.BasicLibraryService;
import org.jruby.runtime.load.LoadService;
import org.jruby.util.TypeConverter;
import org.jruby.util.io.OpenFile;

/**
 * Makes the Ruby side of this package: the classes Jruvoy::Selector, Jruvoy::Timers, Jruvoy::Waiter and Jruvoy::ThreadPool
 * and the module Jruvoy::Owner, whose functions put our primitives in the place of JRuby's. Ruby decides when to call them.
 *
 * <p>Thread: the one that loads jruvoy/selector.
 */
public final class OwnerLibrary implements BasicLibraryService {
    private static final String WAITER = "__jruvoy_waiter__";

    /** The classes of one runtime. */
    record Classes(RubyClass waiter) {}

    /** Called by JRuby::Util.load_ext. */
    @Override
    public boolean basicLoad(Ruby runtime) throws IOException {
        ThreadContext context = runtime.getCurrentContext();
        RubyClass object = Access.objectClass(context);
        RubyModule jruvoy = Define.defineModule(context, "Jruvoy");
        jruvoy.defineClassUnder(context, "Selector", object, OwnerSelector::new)
                .defineMethods(context, OwnerSelector.class);
        RubyClass waiter =
                jruvoy.defineClassUnder(context, "Waiter", object, ObjectAllocator.NOT_ALLOCATABLE_ALLOCATOR);
        waiter.defineMethods(context, Waiter.class);
        RubyClass timers = jruvoy.defineClassUnder(context, "Timers", object, Timers::new);
        timers.defineMethods(context, Timers.class);
        timers.defineClassUnder(context, "Timer", object, ObjectAllocator.NOT_ALLOCATABLE_ALLOCATOR)
                .defineMethods(context, Timer.class);
        jruvoy.defineModuleUnder(context, "Owner").defineMethods(context, OwnerLibrary.class);
        jruvoy.defineClassUnder(context, "ThreadPool", object, ThreadPool::new)
                .defineMethods(context, ThreadPool.class);
        runtime.getObject().setInternalVariable(WAITER, new Classes(waiter));
        return true;
    }

    /** The classes of the caller's runtime. */
    static Classes of(ThreadContext context) {
        return (Classes) context.runtime.getObject().getInternalVariable(WAITER);
    }

    /** Replaces Fiber#transfer and Fiber#raise. */
    @JRubyMethod(name = "repair_fiber", module = true)
    public static IRubyObject repairFiber(ThreadContext context, IRubyObject self) {
        FiberRepair.install(context, context.runtime.getFiber());
        return context.nil;
    }

    /** Replaces Thread#raise and Thread#kill. */
    @JRubyMethod(name = "repair_thread", module = true)
    public static IRubyObject repairThread(ThreadContext context, IRubyObject self) {
        FiberThreads.install(context, context.runtime.getThread());
        return context.nil;
    }

    /** Runs a task's block, so that Thread.exit in it ends the task and not its loop. */
    @JRubyMethod(name = "contain_exit", module = true)
    public static IRubyObject containExit(ThreadContext context, IRubyObject self, Block block) {
        return FiberThreads.contain(context, block);
    }

    /** Replaces Thread#join and Thread#value. */
    @JRubyMethod(name = "hook_join", module = true)
    public static IRubyObject hookJoin(ThreadContext context, IRubyObject self) {
        ThreadJoin.install(context, context.runtime.getThread());
        return context.nil;
    }

    /** Makes new objects of a primitive's class ours; those that exist stay as they are. */
    @JRubyMethod(name = "hook_allocator", module = true)
    public static IRubyObject hookAllocator(ThreadContext context, IRubyObject self, IRubyObject type) {
        RubyClass target = (RubyClass) type;
        ObjectAllocator ours = allocator(target.getName(context));
        ObjectAllocator theirs = target.getAllocator();
        for (RubyClass subclass : target.subclasses(true)) {
            if (subclass.getAllocator() == theirs) {
                subclass.allocator(ours);
            }
        }
        target.allocator(ours);
        return context.nil;
    }

    /** Raises IOError in every fiber that waits for an IO which is about to be closed. */
    @JRubyMethod(name = "closing", module = true)
    public static IRubyObject closing(ThreadContext context, IRubyObject self, IRubyObject io) {
        OwnerSelector.closing(context, io);
        return context.nil;
    }

    /** Sets {@code $?} of the calling fiber. @param status a Process::Status or nil */
    @JRubyMethod(name = "last_status=", module = true)
    public static IRubyObject setLastStatus(ThreadContext context, IRubyObject self, IRubyObject status) {
        context.setLastExitStatus(status);
        return status;
    }

    /**
     * Blocks the calling thread until a child has ended. The child stays for whoever asks for its status, so that a
     * thread that nobody waits for any more takes none from others.
     *
     * @param process what Process.wait takes
     * @param flags as there
     */
    @JRubyMethod(name = "await_child", module = true)
    public static IRubyObject awaitChild(
            ThreadContext context, IRubyObject self, IRubyObject process, IRubyObject flags) {
        int id = toInt(context, process);
        int type = id > 0 ? Libc.P_PID : id == -1 ? Libc.P_ALL : Libc.P_PGID;
        int options = Libc.WEXITED | Libc.WNOWAIT | toInt(context, flags) & Libc.WSTOPPED;
        Libc.C.waitid(type, type == Libc.P_ALL ? 0 : Math.abs(id), 0, options);
        return context.nil;
    }

    /** Whether Ruby has read more of an IO than the program has taken. */
    @JRubyMethod(name = "read_ahead?", module = true)
    public static IRubyObject hasReadAhead(ThreadContext context, IRubyObject self, IRubyObject io) {
        OpenFile file = TypeConverter.ioGetIO(context.runtime, io).getOpenFileChecked();
        return file.readPending() > 0 ? context.tru : context.fals;
    }

    /** Whether require would find the feature loaded and return at once. */
    @JRubyMethod(name = "loaded?", module = true)
    public static IRubyObject isLoaded(ThreadContext context, IRubyObject self, IRubyObject feature) {
        return feature instanceof RubyString name
                        && context.runtime.getLoadService().featureAlreadyLoaded(name.asJavaString())
                ? context.tru
                : context.fals;
    }

    /**
     * Whether the caller was called by a constant that loads itself. JRuby holds its lock of that constant until the
     * file is loaded: the file could not define the constant on another thread.
     */
    @JRubyMethod(name = "autoloading?", module = true)
    public static IRubyObject isAutoloading(ThreadContext context, IRubyObject self) {
        boolean found = StackWalker.getInstance().walk(frames -> frames.anyMatch(OwnerLibrary::loadsConstant));
        return found ? context.tru : context.fals;
    }

    private static boolean loadsConstant(StackWalker.StackFrame frame) {
        return frame.getMethodName().equals("autoloadRequire")
                && frame.getClassName().equals(LoadService.class.getName());
    }

    /** What of JRuby's and the JDK's insides is not as we know it: one sentence each. */
    @JRubyMethod(name = "missing_internals", module = true)
    public static IRubyObject missingInternals(ThreadContext context, IRubyObject self) {
        RubyArray<?> missing = Create.newArray(context);
        check(context, missing, "the state of a fiber", FiberExchange::verify);
        check(context, missing, "the insides of an IO", RubyDescriptor::verify);
        return missing;
    }

    private static void check(ThreadContext context, RubyArray<?> missing, String what, Runnable use) {
        try {
            use.run();
        } catch (LinkageError changed) {
            Throwable cause = changed.getCause() == null ? changed : changed.getCause();
            missing.append(context, Create.newString(context, what + " has changed (" + cause + ")"));
        }
    }

    private static ObjectAllocator allocator(String name) {
        return switch (name) {
            case "Thread::Mutex" -> OwnedMutex::new;
            case "Thread::ConditionVariable" -> OwnedConditionVariable::new;
            case "Thread::Queue" -> OwnedQueue::new;
            case "Thread::SizedQueue" -> OwnedSizedQueue::new;
            case "Monitor" -> OwnedMonitor::new;
            default -> throw new IllegalArgumentException("no primitive of ours stands for " + name);
        };
    }
}
