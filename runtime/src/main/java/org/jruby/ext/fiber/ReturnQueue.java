// SPDX-License-Identifier: Apache-2.0
package org.jruby.ext.fiber;

import java.util.concurrent.ArrayBlockingQueue;
import org.jruby.ext.fiber.ThreadFiber.FiberRequest;

/**
 * Where a thread's own fiber is given control back. JRuby's way to do so fails when the fiber that does it was
 * interrupted just before, and then nobody has control; this way cannot fail. Before it, the giver says so, so that what
 * it was interrupted for can be taken back from it.
 *
 * <p>Thread: {@code put} and {@code offer} by the fiber that has control, {@code take} by the thread's own.
 */
final class ReturnQueue extends ArrayBlockingQueue<FiberRequest> {
    private static final long serialVersionUID = 1L;
    private final transient Runnable before;

    ReturnQueue(Runnable before) {
        this.before = before;
        super(1);
    }

    @Override
    public void put(FiberRequest request) {
        if (!offer(request)) {
            throw new IllegalStateException("control was given back twice");
        }
    }

    @Override
    public boolean offer(FiberRequest request) {
        before.run();
        return super.offer(request);
    }
}
