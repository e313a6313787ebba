// SPDX-License-Identifier: Apache-2.0
package jruvoy.bridge;

/**
 * One request/response exchange as its owner sees it: identity, end and release. Body and head logic are in {@link
 * RequestBody} and {@link Response}. Twin of {@code stream.c}.
 *
 * <p>Thread: the owner.
 */
public final class Stream {
    /** Bytes each direction may have on the way, for the streams of an app. */
    private final int window;

    private final long handle;
    private final Outbox outbox;
    private RequestBody body;
    private Credit credit;
    private Response response;
    private EndReason end = EndReason.NONE;
    private boolean released;

    /** A stream that was admitted under this handle. */
    public Stream(long handle, Outbox outbox, int window, boolean hasBody) {
        this.handle = handle;
        this.outbox = outbox;
        this.window = window;
        if (hasBody) {
            body = new RequestBody(handle, outbox, window);
        }
    }

    /** The key of the stream; never dereferenced in Java. */
    public long handle() {
        return handle;
    }

    /** The request's body, or null when the request has none. */
    public RequestBody body() {
        return body;
    }

    /** The response of this stream. */
    public Response response() {
        if (response == null) {
            response = new Response(this, outbox);
        }
        return response;
    }

    /** What the response may still send. */
    public Credit credit() {
        if (credit == null) {
            credit = new Credit(outbox, window);
        }
        return credit;
    }

    /** Sends a whole response and lets the stream go, in one message. Only as the first word of the response. */
    public void beginComplete(HeaderBlock head, int bodyLength) {
        int flags = Layout.MESSAGE_END_STREAM | Layout.MESSAGE_RELEASES;
        outbox.begin(Layout.MESSAGE_COMPLETE, handle, flags, head, bodyLength);
        released = true;
    }

    /** Why Envoy ended the stream, {@link EndReason#NONE} as long as it has not. */
    public EndReason end() {
        return end;
    }

    /** Whether the stream is over for Envoy: nothing that is sent goes anywhere. */
    public boolean isClosed() {
        return end != EndReason.NONE;
    }

    /** Whether the owner has had its last word. */
    public boolean isReleased() {
        return released;
    }

    /** Whether the response has ended, or never will: nothing can be added to it. */
    public boolean isAnswered() {
        return released || response != null && response.isEnded();
    }

    /** The stream is over for Envoy. */
    public void close(EndReason reason) {
        end = reason;
        if (credit != null) {
            credit.close();
        }
    }

    /** Says that nothing more follows, unless the worker still reads buffers of ours: then CLOSED will come. */
    public boolean release() {
        if (released) {
            return true;
        }
        if (!isClosed() && credit != null && credit.isLending()) {
            return false;
        }
        released = true;
        outbox.append(Layout.MESSAGE_RELEASE, handle, 0);
        return true;
    }

    boolean releaseWithEnd() {
        if (isClosed() || credit != null && credit.isLending()) {
            return false;
        }
        released = true;
        return true;
    }
}
