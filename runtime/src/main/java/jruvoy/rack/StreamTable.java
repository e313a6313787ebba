// SPDX-License-Identifier: Apache-2.0
package jruvoy.rack;

/**
 * Requests by the handle of their stream: open addressing, so that a look-up costs no object.
 *
 * <p>Thread: the owner.
 */
final class StreamTable {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private RackRequest[] places = new RackRequest[256];
    private int size;

    /** How many there are. */
    int size() {
        return size;
    }

    /** The request of a handle, or null. */
    RackRequest get(long handle) {
        return places[find(handle)];
    }

    /** Adds a request whose handle is not in the table. */
    void put(RackRequest request) {
        if (2 * (size + 1) > places.length) {
            grow();
        }
        places[find(request.handle())] = request;
        size++;
    }

    /** Takes a request out; whatever its absence would hide moves up. */
    void remove(long handle) {
        int hole = find(handle);
        if (places[hole] == null) {
            return;
        }
        places[hole] = null;
        size--;
        for (int i = next(hole); places[i] != null; i = next(i)) {
            RackRequest moved = places[i];
            places[i] = null;
            places[find(moved.handle())] = moved;
        }
    }

    /** All requests there are now. */
    RackRequest[] all() {
        RackRequest[] all = new RackRequest[size];
        int count = 0;
        for (RackRequest request : places) {
            if (request != null) {
                all[count++] = request;
            }
        }
        return all;
    }

    private int find(long handle) {
        int at = (int) ((handle * GOLDEN) >>> 40) & places.length - 1;
        while (places[at] != null && places[at].handle() != handle) {
            at = next(at);
        }
        return at;
    }

    private int next(int at) {
        return at + 1 & places.length - 1;
    }

    private void grow() {
        RackRequest[] before = places;
        places = new RackRequest[2 * before.length];
        for (RackRequest request : before) {
            if (request != null) {
                places[find(request.handle())] = request;
            }
        }
    }
}
