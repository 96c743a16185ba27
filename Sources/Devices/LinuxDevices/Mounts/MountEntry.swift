internal import AccessModel

/// One line of `/proc/PID/mountinfo` (proc_pid_mountinfo(5)), whose fields are decoded on access.
///
/// A table can have ten thousand lines, but a path crosses only a few mounts.
struct MountEntry: Sendable {
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
  static func isDistant(_ type: String) -> Bool { isDistant(type.utf8) }

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
