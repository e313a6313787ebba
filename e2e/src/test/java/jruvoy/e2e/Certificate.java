// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A certificate that is signed by itself, made by the JDK's keytool. Thread: the test's. */
final class Certificate {
    private static final String PASSWORD = "password";

    /** The certificate alone, in PEM. */
    final Path file;

    private final KeyStore store;

    /** Makes one for a subject and localhost in a folder: it and its key, which has "key" in its name for "cert". */
    Certificate(Path folder, String name, String subject)
            throws IOException, GeneralSecurityException, InterruptedException {
        file = folder.resolve(name);
        Path bundle = folder.resolve(name + ".p12");
        keytool(bundle, subject);
        store = KeyStore.getInstance(bundle.toFile(), PASSWORD.toCharArray());
        byte[] key = store.getKey("it", PASSWORD.toCharArray()).getEncoded();
        Files.writeString(folder.resolve(name.replace("cert", "key")), pem("PRIVATE KEY", key));
        Files.writeString(file, pem("CERTIFICATE", store.getCertificate("it").getEncoded()));
    }

    /** For a client that trusts this certificate alone and has none of its own. */
    SSLContext trust() throws IOException, GeneralSecurityException {
        return context(null);
    }

    /** For a client that trusts this certificate alone and shows another one when it is asked. */
    SSLContext trust(Certificate shown) throws IOException, GeneralSecurityException {
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(shown.store, PASSWORD.toCharArray());
        return context(factory.getKeyManagers());
    }

    private SSLContext context(KeyManager[] keys) throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("it", store.getCertificate("it"));
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys, factory.getTrustManagers(), null);
        return context;
    }

    private static void keytool(Path bundle, String subject) throws IOException, InterruptedException {
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        List<String> words = List.of(
                keytool.toString(),
                "-genkeypair",
                "-alias",
                "it",
                "-keyalg",
                "EC",
                "-dname",
                subject,
                "-ext",
                "san=dns:localhost",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                bundle.toString());
        int status = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .inheritIO()
                .start()
                .waitFor();
        if (status != 0) {
            throw new IOException("keytool ended with " + status);
        }
    }

    private static String pem(String what, byte[] bytes) {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n";
    }
}
