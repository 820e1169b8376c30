package answer

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// Key is the secret under which a reader trusts what cannot be checked: that a search found
// nothing, and its number of steps.
type Key struct{ secret [sha256.Size]byte }

// KeyVariable is the environment variable that holds a key for the jobs of one CI run.
const KeyVariable = "GRADINE_KEY"

// MinKey is the least length in characters from which a key cannot be guessed: 128 bits in hexadecimal.
const MinKey = 32

// NewKey makes a key of a secret text.
func NewKey(secret string) (*Key, error) {
	secret = strings.TrimSpace(secret)
	if len(secret) < MinKey {
		return nil, fmt.Errorf("a key of %d characters can be guessed: use at least %d, as `openssl rand -hex 32` writes them", len(secret), MinKey)
	}
	return &Key{sha256.Sum256([]byte("gradine key 1\n" + secret))}, nil
}

// ProcessKey returns a key that lives as long as this process, for those who have no other.
var ProcessKey = sync.OnceValue(func() *Key {
	var k Key
	if _, err := rand.Read(k.secret[:]); err != nil {
		panic("answer: no random numbers: " + err.Error())
	}
	return &k
})

// UserKey returns the key of $GRADINE_KEY or, if that is empty, the one in the configuration
// folder of the user, which it makes at first use. Without a place for a key it returns that of
// the process: then only its own unchecked answers count. An error says what is wrong with the key that there is.
func UserKey() (*Key, error) {
	if secret := os.Getenv(KeyVariable); secret != "" {
		k, err := NewKey(secret)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", KeyVariable, err)
		}
		return k, nil
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		return ProcessKey(), nil
	}
	return FileKey(filepath.Join(dir, "gradine", "key"))
}

// FileKey reads the key in file name, which it makes if there is none. It returns that of the
// process if the file cannot be made. A key that others can read or write is an error.
func FileKey(name string) (*Key, error) {
	if _, err := os.Stat(name); err == nil {
		return readKey(name)
	}
	if makeKey(name) != nil {
		return ProcessKey(), nil
	}
	return readKey(name)
}

// readKey reads the user's key, and refuses one that others can read or write.
func readKey(name string) (*Key, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 && runtime.GOOS != "windows" { // where modes mean nothing
		return nil, fmt.Errorf("%s: other users can read or write the key (mode %#o): remove the file, and a new key is made", name, mode)
	}
	data, err := io.ReadAll(io.LimitReader(f, 4096))
	if err != nil {
		return nil, err
	}
	k, err := NewKey(string(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w; remove the file, and a new key is made", name, err)
	}
	return k, nil
}

// makeKey writes a new key. Of several processes that make one at a time, the first wins: a
// link, unlike a rename, never replaces a file.
func makeKey(name string) error {
	dir := filepath.Dir(name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".key-") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	var secret [32]byte
	if _, err = rand.Read(secret[:]); err == nil {
		_, err = f.WriteString(hex.EncodeToString(secret[:]) + "\n")
	}
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Link(f.Name(), name); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// mac is the keyed digest of fields. Each has its length before it, so that no two lists have the same input.
func (k *Key) mac(fields ...[]byte) []byte {
	h := hmac.New(sha256.New, k.secret[:])
	for _, data := range fields {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(data)))
		h.Write(n[:])
		h.Write(data)
	}
	return h.Sum(nil)
}
