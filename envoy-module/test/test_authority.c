/* SPDX-License-Identifier: Apache-2.0 */
/* Authorities that an app may be shown, and those that are refused. */
#include "authority.h"

#include <stdio.h>
#include <string.h>

#include "check.h"

static bool legal(const char *authority)
{
    return jrv_authority_legal(authority, strlen(authority));
}

static void accept(const char *authority)
{
    if (!legal(authority))
        fprintf(stderr, "refused: %s\n", authority);
    CHECK(legal(authority));
}

static void refuse(const char *authority)
{
    if (legal(authority))
        fprintf(stderr, "accepted: %s\n", authority);
    CHECK(!legal(authority));
}

static void names_and_addresses_pass(void)
{
    accept("a.test");
    accept("a.test:80");
    accept("a.test:0");
    accept("a.test:65535");
    accept("a.test:");
    accept("192.0.2.1:8080");
    accept("under_score-1.test");
    accept("xn--bcher-kva.test");
    accept("%41.test");
    accept("[::1]");
    accept("[2001:db8::7]:443");
    accept("[::ffff:192.0.2.1]:1");
}

static void malformed_ones_are_refused(void)
{
    refuse("");
    refuse(":80");
    refuse("user@a.test");
    refuse("user:pass@a.test");
    refuse("a:b:c");
    refuse("a:1:2");
    refuse("a.test:80x");
    refuse("a.test:99999");
    refuse("a.test:65536");
    refuse("a.test:-1");
    refuse("a.test:+1");
    refuse("a.test: 80");
    refuse("a.test,b.test");
    refuse("a test");
    refuse(" a.test");
    refuse("a.test ");
    refuse("a\ttest");
    refuse("a\rtest");
    refuse("a/test");
    refuse("a?test");
    refuse("a#test");
    refuse("a\\test");
    refuse("a<b>");
    refuse("a\"b");
    refuse("b\xc3\xbc"
           "cher.test");
    CHECK(!jrv_authority_legal("a\0b", 3));
}

static void broken_brackets_are_refused(void)
{
    refuse("[::1");
    refuse("::1");
    refuse("[::1]]");
    refuse("[[::1]]");
    refuse("[]");
    refuse("[]:80");
    refuse("[::1]80");
    refuse("[::1]:x");
    refuse("[1.2.3.4]");
    refuse("[a.test]");
    refuse("[::1%25eth0]");
    refuse("[fe80:fe80:fe80:fe80:fe80:fe80:fe80:fe80:fe80]");
    refuse("a[::1]");
    refuse("a]");
}

int main(void)
{
    RUN(names_and_addresses_pass);
    RUN(malformed_ones_are_refused);
    RUN(broken_brackets_are_refused);
    return check_report();
}
