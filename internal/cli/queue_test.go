package cli

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gradine/gradine/discharge/queue/embedded"
	"github.com/gradine/gradine/internal/corpus"
)

// buffer may be written by several goroutines.
type buffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *buffer) Write(data []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(data)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.String()
}

// queueServer starts a server and returns its URL.
func queueServer(t *testing.T) string {
	t.Helper()
	s, err := embedded.Start("embedded://127.0.0.1:0", "", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return "nats://" + s.Addr().String()
}

// startWorker runs gradine worker until the test ends, and returns what it logs.
func startWorker(t *testing.T, args ...string) *buffer {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	log := &buffer{}
	var done sync.WaitGroup
	done.Go(func() {
		r := &run{ctx: ctx, in: strings.NewReader(""), err: log}
		if code := r.execute(append([]string{"worker", "-v"}, args...), log); code != exitInterrupted {
			t.Errorf("exit code %d: %s", code, log)
		}
	})
	t.Cleanup(func() { cancel(); done.Wait() })
	return log
}

// lines are sequents: one is proved, one refuted, and one stays open within few steps.
const lines = `{"id":"a","types":{"x":"ℤ"},"hyps":["x>1"],"goal":"x>0"}
{"id":"b","types":{"x":"ℤ"},"hyps":["x>1"],"goal":"x>2"}
{"id":"c","types":{"s":"ℙ(ℤ)"},"hyps":["0∈s","∀n·n∈s⇒n+1∈s"],"goal":"∀n·n∈ℕ⇒n∈s"}
`

// TestWorkers: with workers, or a server without any, commands print what they print alone.
func TestWorkers(t *testing.T) {
	dir := sharded(t)
	fresh(t, "a")
	url := queueServer(t)
	startWorker(t, "--nats", url)
	small, kernel := smallProject(t), filepath.Join(dir, "k.cl")
	if err := os.WriteFile(kernel, []byte(faultyKernels), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "s.jsonl"), []byte(lines), 0o666); err != nil {
		t.Fatal(err)
	}
	for command, in := range map[string]string{"prove --format jsonl": dir, "prove": dir, "verify": dir, "tune": small, "tune --by exhaustive": small, "kernel k.cl": dir, "prove --format jsonl --sequents s.jsonl": dir} {
		if t.Setenv("GRADINE_CACHE", t.TempDir()); in == small {
			command += " --format jsonl"
		}
		line := append([]string{"-C", in}, strings.Fields(command)...)
		want, _, wantCode := shell(t, line...)
		for _, at := range []string{"embedded://127.0.0.1:0", url, "nats://127.0.0.1:1"} {
			t.Setenv("GRADINE_CACHE", t.TempDir())
			got, errs, code := shell(t, append(line, "--nats", at)...)
			if got != want || code != wantCode {
				t.Errorf("%s --nats %s: exit code %d, want %d\n%s\n%s", command, at, code, wantCode, errs, got)
			}
		}
	}
}

// certified writes a certificate for this machine, and returns the files of it and of its key.
func certified(t *testing.T) (certificate, key string) {
	t.Helper()
	secret, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	is := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, is, is, &secret.PublicKey, secret)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalECPrivateKey(secret)
	if err != nil {
		t.Fatal(err)
	}
	certificate, key = filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")
	for name, block := range map[string]*pem.Block{certificate: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "EC PRIVATE KEY", Bytes: private}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return certificate, key
}

// TestSecuredWorkers: with TLS and a password workers help; without the right ones they say why they do not.
func TestSecuredWorkers(t *testing.T) {
	certificate, private := certified(t)
	s, err := embedded.Start("embedded://u:secret@127.0.0.1:0", certificate, private)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	dir := sharded(t)
	fresh(t, "a")
	want, _, code := shell(t, "-C", dir, "prove", "--no-cache")
	for _, c := range []struct{ user, authority, said string }{
		{"u:secret", certificate, "waiting for jobs"},
		{"u:wrong", certificate, "Authorization Violation"},
		{"u:secret", "", "certificate signed by unknown authority"},
	} {
		t.Setenv("NATS_CA", c.authority)
		at := "tls://" + c.user + "@" + s.Addr().String()
		w := &said{done: func() {}}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan int)
		go func() {
			done <- (&run{ctx: ctx, in: strings.NewReader(""), err: w}).execute([]string{"worker", "--nats", at}, w)
		}()
		got, errs, is := shell(t, "-C", dir, "prove", "--no-cache", "--nats", at)
		corpus.Until(func() bool { return strings.Contains(w.String(), c.said) })
		cancel()
		<-done
		if got != want || is != code || !strings.Contains(w.String(), c.said) || strings.Contains(errs+w.String(), "secret") || strings.Contains(errs+w.String(), "wrong") {
			t.Errorf("%s: exit code %d\n%s\n%s", c.said, is, errs, w)
		}
	}
	t.Setenv("NATS_CERT", certificate)
	t.Setenv("NATS_KEY", private)
	if got, errs, is := shell(t, "-C", dir, "prove", "--no-cache", "--nats", "embedded://u:secret@127.0.0.1:0"); got != want || is != code || strings.Contains(errs, "certificate") {
		t.Errorf("embedded: exit code %d\n%s", is, errs)
	}
}

// TestWorkerUsage: what is wrong with a command line is said, and no password is repeated.
func TestWorkerUsage(t *testing.T) {
	url := queueServer(t)
	for line, want := range map[string]string{
		"prove --nats embedded" + strings.TrimPrefix(url, "nats"): "the server cannot start",
		"worker":                    "worker needs --nats URL",
		"worker --nats http://host": "http://host is not the URL of a NATS server",
		"worker --nats nats://u:secret@host:4222":     "a password for nats://host:4222 would be sent unencrypted: write tls://",
		"worker --nats nats://u:sec%zzret@host":       "not the URL of a NATS server",
		"worker --nats nats://h --steps 0":            "must be positive",
		"worker --nats nats://h --metrics nowhere":    "--metrics: ",
		"prove --nats embedded://0.0.0.0:4222":        "other computers can reach 0.0.0.0: the server needs a password",
		"prove --nats embedded://u:secret@h:x":        "write embedded or",
		"prove --nats nats://h --replay":              "no worker can help",
		"prove --nats nats://h --suggest":             "--nats cannot be combined with --suggest or --smtlib",
		"prove --nats nats://h --smtlib -":            "--nats cannot be combined with --suggest or --smtlib",
		"prove --nats nats://u:secret@a,tls://b:4222": "a password for nats://a,tls://b:4222 would be sent unencrypted",
	} {
		_, errs, code := shell(t, append([]string{"-C", sharded(t)}, strings.Fields(line)...)...)
		if code != exitUsage || !strings.Contains(errs, want) || strings.Contains(errs, "sec") {
			t.Errorf("%s: exit code %d: %s", line, code, errs)
		}
	}
}
