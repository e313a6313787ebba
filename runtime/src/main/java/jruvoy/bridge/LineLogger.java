// SPDX-License-Identifier: Apache-2.0
package jruvoy.bridge;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/** An slf4j logger that writes lines to {@link Log}. Thread: any. */
final class LineLogger extends LegacyAbstractLogger {
    private static final long serialVersionUID = 1L;

    LineLogger(String name) {
        this.name = name;
    }

    @Override
    public boolean isTraceEnabled() {
        return Log.isEnabled(Log.TRACE);
    }

    @Override
    public boolean isDebugEnabled() {
        return Log.isEnabled(Log.DEBUG);
    }

    @Override
    public boolean isInfoEnabled() {
        return Log.isEnabled(Log.INFO);
    }

    @Override
    public boolean isWarnEnabled() {
        return Log.isEnabled(Log.WARN);
    }

    @Override
    public boolean isErrorEnabled() {
        return Log.isEnabled(Log.ERROR);
    }

    @Override
    protected String getFullyQualifiedCallerName() {
        return null;
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level level, Marker marker, String pattern, Object[] arguments, Throwable error) {
        StringBuilder text = new StringBuilder(name).append(": ");
        text.append(MessageFormatter.basicArrayFormat(pattern, arguments));
        if (error != null) {
            StringWriter trace = new StringWriter();
            error.printStackTrace(new PrintWriter(trace));
            text.append('\n').append(trace.toString().stripTrailing());
        }
        Log.write(level.toInt() / 10, text.toString());
    }
}
