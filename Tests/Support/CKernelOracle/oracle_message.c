// The layout of a message: 32-bit little-endian words, and texts (a word with the
// length without the NUL, the bytes, a NUL).
//
//   protected_symlinks, protected_regular and protected_fifos, one byte each (255 to leave it)
//   namespaces: count, then for users and groups each: count, {inside, outside, length}
//   mounts: count (1 to 4), then: path relative to the first mount, flags, index of the id map's
//     namespace + 1, index of the owning namespace + 1
//   device list: 0 none, 1 default allow, 2 default deny; if not 0: count, texts
//   tools: 0, or 1 and four texts: /etc/passwd, group, shadow and gshadow
//   nodes: count, then: mount, relative path, type (S_IFMT), mode, uid, gid, major, minor, target,
//     entries of the access control list + 1 (0 none), {tag, permissions, id}, inode flags
//   subjects: count, then: ruid, euid, suid, fsuid, rgid, egid, sgid, fsgid, groups: count and
//     ids, the user whose groups of a new login count instead (empty for nobody), permitted (low, high), effective (low, high), securebits, index of the namespace + 1,
//     requests: count, {0 open or 1 faccessat2, flags, mode, path}
//   commands: count, then: uid, gid, groups: count and ids, text
//   subjects again, after the commands

#include "oracle_internal.h"

#include <endian.h>
#include <string.h>

uint32_t oracle_take(struct oracle_cursor *cursor) {
  uint32_t word = 0;
  if (cursor->broken || (size_t)(cursor->end - cursor->next) < sizeof word) {
    cursor->broken = 1;
    return 0;
  }
  memcpy(&word, cursor->next, sizeof word);
  cursor->next += sizeof word;
  return le32toh(word);
}

uint64_t oracle_take64(struct oracle_cursor *cursor) {
  uint64_t low = oracle_take(cursor);
  return low | (uint64_t)oracle_take(cursor) << 32;
}

const char *oracle_take_text(struct oracle_cursor *cursor) {
  uint32_t length = oracle_take(cursor);
  if (cursor->broken || (size_t)(cursor->end - cursor->next) <= length
      || cursor->next[length] != 0) {
    cursor->broken = 1;
    return "";
  }
  const char *text = (const char *)cursor->next;
  cursor->next += length + 1;
  return text;
}

uint32_t oracle_take_count(struct oracle_cursor *cursor, uint32_t limit) {
  uint32_t count = oracle_take(cursor);
  if (count > limit) {
    cursor->broken = 1;
    return 0;
  }
  return count;
}
