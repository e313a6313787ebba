// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A certificate for localhost, signed by itself, made by the JDK's keytool. Thread: the test's. */
final class Certificate {
    private static final String PASSWORD = "password";

    private final KeyStore store;

    /** Makes one in a folder, which gets cert.pem and key.pem. */
    Certificate(Path folder) throws IOException, GeneralSecurityException, InterruptedException {
        Path file = folder.resolve("certificate.p12");
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        List<String> words = List.of(
                keytool.toString(),
                "-genkeypair",
                "-alias",
                "it",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                file.toString());
        int status = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .inheritIO()
                .start()
                .waitFor();
        if (status != 0) {
            throw new IOException("keytool ended with " + status);
        }
        store = KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
        byte[] key = store.getKey("it", PASSWORD.toCharArray()).getEncoded();
        Files.writeString(folder.resolve("key.pem"), pem("PRIVATE KEY", key));
        Files.writeString(
                folder.resolve("cert.pem"),
                pem("CERTIFICATE", store.getCertificate("it").getEncoded()));
    }

    /** For a client that trusts this certificate alone. */
    SSLContext trust() throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("it", store.getCertificate("it"));
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, factory.getTrustManagers(), null);
        return context;
    }

    private static String pem(String what, byte[] bytes) {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n";
    }
}
