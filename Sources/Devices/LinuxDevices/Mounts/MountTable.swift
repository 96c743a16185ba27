internal import AccessModel
internal import CLinux
internal import Synchronization

/// A snapshot of the mounts in a mount namespace.
struct MountTable: Sendable {
  /// The mounts in the order of the file; a later mount covers an earlier one at the same point.
  private(set) var entries: [MountEntry] = []
  private var indexByID: [UInt64: Int] = [:]
  private let decoded = DecodedMounts()
  /// A Boolean value that indicates whether any filesystem may stop responding.
  private(set) var hasDistant = false
  /// A Boolean value that indicates whether the file was read.
  ///
  /// If it was, an empty table means that nothing is mounted.
  private(set) var isRead = false
  /// The number of malformed lines, which were skipped.
  private(set) var malformedLines = 0

  /// The maximum number of bytes to read, which is enough for about a hundred thousand mounts.
  static let limit = 32 << 20

  init(parsing bytes: [UInt8]) {
    for line in bytes.split(separator: ByteScanner.newline) {
      guard let entry = MountEntry(parsing: line) else {
        malformedLines += 1
        continue
      }
      indexByID[entry.id] = entries.count
      if entry.isDistant { hasDistant = true }
      entries.append(entry)
    }
  }

  /// Reads the table of a process's mount namespace, such as `/proc/thread-self/mountinfo`.
  ///
  /// Problems are added to `unobserved`. If the file cannot be read, the table is empty.
  static func read(_ path: String, _ unobserved: inout [Unobserved]) -> MountTable {
    do throws(Errno) {
      let contents = try BoundedFile.read(path, limit: limit)
      var table = MountTable(parsing: contents.bytes)
      table.isRead = true
      if contents.isTruncated {
        unobserved.append(Unobserved("mountinfo", at: path, reason: "longer than 32 MiB"))
      }
      if table.malformedLines > 0 {
        unobserved.append(
          Unobserved(
            "mountinfo", at: path, reason: "malformed lines skipped: \(table.malformedLines)"))
      }
      if table.entries.isEmpty && table.malformedLines == 0 {
        unobserved.append(Unobserved("mountinfo", at: path, reason: "empty"))
      }
      return table
    } catch {
      unobserved.append(Unobserved("mountinfo", at: path, reason: error.reason))
      return MountTable(parsing: [])
    }
  }

  /// The ID of the mount at `/`; `nil` if there is none, for example after chroot(2) to a
  /// directory.
  var rootID: UInt64? { last(at: "/")?.id }

  /// Returns the last mount at a point, which covers all earlier ones there.
  func last(at point: String) -> MountEntry? {
    // Each scan of a watch requests the same few of many entries.
    let index = decoded.index(at: point) {
      let point = ByteText(point).bytes
      // By index, because a copy of an entry costs more than the comparison.
      return entries.indices.last { entries[$0].isAt(point) }
    }
    return index.map { entries[$0] }
  }

  /// Returns the mount that contains a path.
  ///
  /// This is the mount with the ID from statx(2). Without such an ID, it is the last of the deepest
  /// mount points at or above the path. That may be wrong if one mount hides another, or if the
  /// table could not be read.
  func mount(of path: String, id: UInt64?) -> MountEntry? {
    index(of: path, id: id).map { entries[$0] }
  }

  /// Returns the index of the entry that ``mount(of:id:)`` returns.
  func index(of path: String, id: UInt64?) -> Int? {
    let path = ByteText(path).bytes
    if let id, let index = indexByID[id], entries[index].covers(path) { return index }
    var best: (index: Int, length: Int)?
    for index in entries.indices where entries[index].covers(path) {
      let length = entries[index].point.utf8.count
      if length >= best?.length ?? 0 { best = (index, length) }
    }
    return best?.index
  }

  /// Returns the mount point of a path's filesystem if that filesystem may stop responding.
  ///
  /// The result is `nil` for other filesystems, and for the root filesystem, because without it
  /// nothing can be observed.
  func distantPoint(of path: String) -> String? {
    guard hasDistant, let index = index(of: path, id: nil), entries[index].isDistant else {
      return nil
    }
    let point = entries[index].point
    return point == "/" ? nil : point
  }

  /// Returns the mount of an entry; see ``Mount/init(_:at:inUserNamespace:)``.
  func mount(_ index: Int, inUserNamespace: Bool) -> Mount {
    decoded.mount(index, inUserNamespace: inUserNamespace) {
      Mount(entries[index], at: entries[index].point, inUserNamespace: inUserNamespace)
    }
  }
}

/// One line of `/proc/PID/mountinfo` (proc_pid_mountinfo(5)), whose fields are decoded on access.
///
/// A table can have ten thousand lines, but a path crosses only a few mounts.
package struct MountEntry: Sendable {
  var id: UInt64
  /// A Boolean value that indicates whether the mount neither receives nor propagates mount events.
  ///
  /// None of its optional fields names a peer group (mount_namespaces(7)).
  private(set) var isPrivate: Bool
  private var filesystemWord: ArraySlice<UInt8>
  /// The directory of the filesystem that is mounted, still escaped.
  private var rootWord: ArraySlice<UInt8>
  private var pointWord: ArraySlice<UInt8>
  private var optionsWord: ArraySlice<UInt8>
  private var typeWord: ArraySlice<UInt8>
  private var sourceWord: ArraySlice<UInt8>
  private var superblockWord: ArraySlice<UInt8>

  /// Parses one line; `nil` if it is malformed.
  init?(parsing line: ArraySlice<UInt8>) {
    // Example: 36 35 98:0 /root /point rw,noatime master:1 … - ext3 /dev/root rw,errors=continue
    let words = ByteScanner.split(line, at: ByteScanner.space)
    guard words.count >= 9,
      let id = ByteScanner.number(words[0]), ByteScanner.number(words[1]) != nil,
      words[4].first == UInt8(ascii: "/"), !words[5].isEmpty,
      let dash = words[6...].firstIndex(where: { $0.elementsEqual([UInt8(ascii: "-")]) }),
      dash + 1 < words.count, !words[dash + 1].isEmpty
    else { return nil }
    self.id = UInt64(id)
    filesystemWord = words[2]
    isPrivate = !words[6..<dash].contains { field in
      Self.peers.contains { field.starts(with: $0.utf8) }
    }
    rootWord = words[3]
    pointWord = words[4]
    optionsWord = words[5]
    typeWord = words[dash + 1]
    // An empty source appears as two consecutive spaces, or is missing at the end of the line.
    sourceWord = dash + 2 < words.count ? words[dash + 2] : []
    superblockWord = dash + 3 < words.count ? words[dash + 3] : []
  }

  /// The prefixes of the optional fields that name a peer group.
  private static let peers = ["shared:", "master:", "propagate_from:"]

  /// The device number that stat(2) returns for most files of the filesystem; `nil` if it is
  /// malformed.
  var filesystem: DeviceNumber? {
    let parts = ByteScanner.split(filesystemWord, at: UInt8(ascii: ":"))
    guard parts.count == 2, let major = ByteScanner.number(parts[0]),
      let minor = ByteScanner.number(parts[1])
    else { return nil }
    return DeviceNumber(major: major, minor: minor)
  }

  /// The mount point.
  var point: String { ByteText(bytes: Self.unescaped(pointWord)).text }
  /// The directory of the filesystem that is mounted.
  var root: String { ByteText(bytes: Self.unescaped(rootWord)).text }
  var fstype: String { String(repairing: Self.unescaped(typeWord), limit: 64) }
  var source: String { String(repairing: Self.unescaped(sourceWord), limit: 1024) }
  /// The options of this mount only.
  var options: [String] { Self.list(optionsWord) }
  /// The options of the superblock, which all mounts of the filesystem share.
  var superblockOptions: [String] { Self.list(superblockWord) }

  /// A Boolean value that indicates whether the mount has the option `nodev`.
  ///
  /// Even without the option, the superblock may forbid opening devices.
  var isNodev: Bool { has("nodev") }

  /// A Boolean value that indicates whether the mount has the option `nosuid`.
  ///
  /// The option disables set-ID bits and file capabilities.
  var isWithoutSetID: Bool { has("nosuid") }

  private func has(_ option: String) -> Bool {
    ByteScanner.split(optionsWord, at: UInt8(ascii: ",")).contains {
      $0.elementsEqual(option.utf8)
    }
  }

  /// A Boolean value that indicates whether another machine or a program serves the filesystem.
  ///
  /// Such a filesystem may stop responding.
  var isDistant: Bool { Self.isDistant(typeWord) }

  /// Returns whether filesystems of a type are served by another machine or a program.
  package static func isDistant(_ type: String) -> Bool { isDistant(type.utf8) }

  private static func isDistant(_ type: some Sequence<UInt8>) -> Bool {
    distantTypes.contains { type.elementsEqual($0.utf8) } || type.starts(with: "fuse.".utf8)
  }

  /// The types of such filesystems, apart from the subtypes of FUSE, such as `fuse.sshfs`.
  private static let distantTypes = [
    "nfs", "nfs4", "fuse", "fuseblk", "cifs", "smb3", "9p", "virtiofs", "afs", "ceph", "glusterfs",
    "lustre",
  ]

  /// Returns whether the mount point equals the path, byte by byte.
  func isAt(_ path: [UInt8]) -> Bool {
    // An escaped mount point is longer than the decoded one.
    pointWord.count >= path.count && Self.unescaped(pointWord).elementsEqual(path)
  }

  /// Returns whether the path is at or below the mount point, compared as bytes.
  func covers(_ path: [UInt8]) -> Bool {
    let point = Self.unescaped(pointWord)
    if point.elementsEqual([UInt8(ascii: "/")]) { return true }
    guard path.starts(with: point) else { return false }
    let rest = path.dropFirst(point.count)
    return rest.isEmpty || rest.first == UInt8(ascii: "/")
  }

  private static func list(_ word: ArraySlice<UInt8>) -> [String] {
    ByteScanner.split(word, at: UInt8(ascii: ",")).prefix(256).map {
      String(repairing: unescaped($0), limit: 256)
    }
  }

  /// Decodes the octal escapes, which stand for space, tab, newline, backslash and `#`.
  static func unescaped(_ word: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard word.contains(UInt8(ascii: "\\")) else { return word }
    var result: [UInt8] = []
    result.reserveCapacity(word.count)
    var index = word.startIndex
    while index < word.endIndex {
      if word[index] == UInt8(ascii: "\\"), word.endIndex - index >= 4,
        let byte = octal(word[(index + 1)..<(index + 4)])
      {
        result.append(byte)
        index += 4
      } else {
        result.append(word[index])
        index += 1
      }
    }
    return result[...]
  }

  private static func octal(_ digits: ArraySlice<UInt8>) -> UInt8? {
    var value: UInt16 = 0
    for digit in digits {
      guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "7") else { return nil }
      value = value * 8 + UInt16(digit - UInt8(ascii: "0"))
    }
    return UInt8(exactly: value)
  }
}

extension MountEntry {
  /// Returns whether the mount is a tmpfs that the machine's root user mounted.
  ///
  /// A tmpfs lists its owner in the options unless the owner is root (`shmem_show_options`). If a
  /// user namespace does not map root, its processes cannot have mounted a filesystem that root
  /// owns. Podman mounts such a tmpfs for the devices of a container with `--uidmap`.
  func isOfRoot(outside map: IDMapping) -> Bool {
    fstype == "tmpfs" && map.users.inside(0) == nil
      && !superblockOptions.contains { $0.hasPrefix("uid=") }
  }
}

extension Mount {
  /// Creates a mount from an entry of the mount table.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - point: The mount point.
  ///   - inUserNamespace: A Boolean value that indicates whether the subject is in a user
  ///     namespace, which may own the superblock.
  init(_ entry: MountEntry, at point: String, inUserNamespace: Bool) {
    self.init(at: point, fstype: entry.fstype)
    for option in entry.options {
      switch option {
      case "ro": readOnly = true
      case "nodev": nodev = true
      case "noexec": noexec = true
      case "nosuid": nosuid = true
      case "nosymfollow": nosymfollow = true
      // The table shows that a map exists, but not the map. Reading it requires statmount(2) of
      // Linux 6.15.
      case "idmapped": unobserved.insert(.idmap)
      default: break
      }
    }
    superblockReadOnly = entry.superblockOptions.contains("ro")
    source = entry.source.isEmpty ? nil : entry.source
    if fstype == "fuse" || fstype.hasPrefix("fuse."), !inUserNamespace {
      let prefix = "user_id="
      let user = entry.superblockOptions.first { $0.hasPrefix(prefix) }
      fuse = user.flatMap { UInt32($0.dropFirst(prefix.utf8.count)) }.map {
        FuseOptions(user: $0, allowsOthers: entry.superblockOptions.contains("allow_other"))
      }
    }

    // No table shows SB_I_NODEV. The kernel sets it on procfs (proc_fill_super), and on every
    // superblock that a user namespace owns (alloc_super), which is possible for these types.
    if fstype == "proc" {
      superblockNodev = true
    } else if inUserNamespace && Self.typesOfUserNamespaces.contains(fstype) {
      unobserved.insert(.superblockNodev)
    }
  }

  /// The types that can contain device nodes and that a user namespace may mount.
  ///
  /// The C constant is `FS_USERNS_MOUNT`.
  private static let typesOfUserNamespaces: Set<String> = [
    "tmpfs", "ramfs", "overlay", "fuse", "fuseblk", "fuse.fuse-overlayfs",
  ]
}

extension Mount {
  /// Creates the mount of an object that the mount table does not list, with statfs(2).
  ///
  /// A mount table contains only mounts that are reachable from the root directory. After chroot(2)
  /// to a plain directory, for example, it does not contain the mount of `/`. statfs(2) combines
  /// the flags of the mount and of its superblock, so the call does not show which of the two is
  /// read-only. The result is `nil` if the call fails or the type of the filesystem is unknown.
  init?(asking path: String, at point: String, inUserNamespace: Bool) {
    var (number, flags) = (UInt32(0), UInt64(0))
    // ST_VALID: the kernel has set the flags.
    guard unsafe clinux_filesystem(ByteText(path).cString, &number, &flags) == 0, flags & 0x20 != 0,
      let fstype = Self.types[number]
    else { return nil }
    self.init(at: point, fstype: fstype)
    readOnly = flags & 0x1 != 0
    nosuid = flags & 0x2 != 0
    nodev = flags & 0x4 != 0
    noexec = flags & 0x8 != 0
    nosymfollow = flags & 0x2000 != 0
    if readOnly { unobserved.insert(.flags) }
    // No flag shows an ID map, or whether a user namespace owns the superblock.
    if inUserNamespace { unobserved.formUnion([.superblockNodev, .idmap]) }
  }

  /// The filesystem types by their numbers in linux/magic.h; ext2, ext3 and ext4 share one number.
  private static let types: [UInt32: String] = [
    0xEF53: "ext4", 0x0102_1994: "tmpfs", 0x5846_5342: "xfs", 0x9123_683E: "btrfs",
    0x794C_7630: "overlay", 0x7371_7368: "squashfs", 0xF2F5_2010: "f2fs", 0x8584_58F6: "ramfs",
    0xE0F5_E1E2: "erofs",
  ]
}

/// A cache of the requested mounts of one table, so that each is found and decoded only once.
final class DecodedMounts: Sendable {
  private struct Key: Hashable {
    var index: Int
    var inUserNamespace: Bool
  }

  private let known = Mutex<[Key: Mount]>([:])
  /// The indices of the entries at the requested mount points; `nil` if nothing is mounted there.
  private let points = Mutex<[PathKey: Int?]>([:])

  /// Returns the mount from the cache, or decodes it.
  func mount(_ index: Int, inUserNamespace: Bool, _ decode: () -> Mount) -> Mount {
    let key = Key(index: index, inUserNamespace: inUserNamespace)
    if let mount = known.withLock({ $0[key] }) { return mount }
    let mount = decode()
    known.withLock { $0[key] = mount }
    return mount
  }

  /// Returns the index of the entry at a mount point from the cache, or searches for it.
  func index(at point: String, _ find: () -> Int?) -> Int? {
    let key = PathKey(point)
    if let index = points.withLock({ $0[key] }) { return index }
    let index = find()
    points.withLock { $0[key] = .some(index) }
    return index
  }
}
