// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import java.util.List;
import jruvoy.rack.RackRequests;
import jruvoy.settings.Settings;
import org.jruby.Ruby;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * What the gem sees of the server while it starts an app.
 *
 * <p>Thread: the owner's loop.
 */
public final class OwnerPort {
    private final Ruby runtime;
    private final App app;
    private final Settings settings;
    private final Owner owner;
    private OwnerLoop loop;
    private RackRequests requests;

    OwnerPort(Ruby runtime, App app, Owner owner) {
        this.runtime = runtime;
        this.app = app;
        this.settings = app.settings();
        this.owner = owner;
    }

    /** The config.ru. */
    public String rackup() {
        return settings.rackup();
    }

    /** The app's folder. */
    public String appRoot() {
        return settings.appRoot();
    }

    /** The server's folder. */
    public String home() {
        return System.getProperty("jruvoy.home");
    }

    /** Folders of gems before the server's own. */
    public List<String> gemPath() {
        return settings.gemPath();
    }

    /** The Gemfile to load with Bundler, or null. */
    public String gemfile() {
        return settings.gemfile();
    }

    /** Whether threads of a pool run the requests. */
    public boolean threaded() {
        return settings.mode().equals("threads");
    }

    /** Most threads of each pool. */
    public int threads() {
        return Math.min(settings.threads(), settings.maxRequests());
    }

    /** What feeds the loop. */
    public LoopSource source() {
        return owner;
    }

    /** The requests whose fibers live on a selector of the calling thread. Once. */
    public IRubyObject requests(IRubyObject selector) {
        loop = new OwnerLoop(runtime.getCurrentContext(), (OwnerSelector) selector);
        requests = new RackRequests(
                runtime,
                app.classes(),
                loop,
                owner.outbox(),
                settings.windowBytes(),
                settings.owners() > 1 || threaded());
        return requests;
    }

    /** Lets the app's other owners serve it too. @param rack what the rackup returned */
    public void share(IRubyObject rack) {
        app.share(rack);
    }

    /** The app is loaded and its loop runs. */
    public void ready() {
        owner.ready(requests, loop);
    }

    /** The app cannot be loaded. @param message one line that names file, line and cause */
    public void failed(String message) {
        app.failed(message);
    }
}
