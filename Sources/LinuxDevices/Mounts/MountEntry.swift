internal import AccessModel

/// One line of `/proc/PID/mountinfo` (proc_pid_mountinfo(5)), its words still undecoded.
///
/// A table can have ten thousand lines of which a path crosses two, so decoding waits until a
/// word is asked for.
struct MountEntry: Sendable {
  var id: UInt64
  /// Whether nothing that is mounted below it elsewhere comes in, and nothing goes out: none of the
  /// optional fields names a peer (mount_namespaces(7)).
  private(set) var isPrivate: Bool
  private var filesystemWord: ArraySlice<UInt8>
  /// The directory of the filesystem that is mounted, as it stands in the file.
  private var rootWord: ArraySlice<UInt8>
  private var pointWord: ArraySlice<UInt8>
  private var optionsWord: ArraySlice<UInt8>
  private var typeWord: ArraySlice<UInt8>
  private var sourceWord: ArraySlice<UInt8>
  private var superblockWord: ArraySlice<UInt8>

  /// Reads one line; `nil` when it is malformed.
  init?(parsing line: ArraySlice<UInt8>) {
    // 36 35 98:0 /root /point rw,noatime master:1 … - ext3 /dev/root rw,errors=continue
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
    // An empty source leaves two blanks in a row; it may also be missing at the end.
    sourceWord = dash + 2 < words.count ? words[dash + 2] : []
    superblockWord = dash + 3 < words.count ? words[dash + 3] : []
  }

  /// How the fields begin that tell of mounts elsewhere which share their events.
  private static let peers = ["shared:", "master:", "propagate_from:"]

  /// The number of the filesystem, as stat(2) gives it for most of its files; `nil` when it is malformed.
  var filesystem: DeviceNumber? {
    let parts = ByteScanner.split(filesystemWord, at: UInt8(ascii: ":"))
    guard parts.count == 2, let major = ByteScanner.number(parts[0]),
      let minor = ByteScanner.number(parts[1])
    else { return nil }
    return DeviceNumber(major: major, minor: minor)
  }

  /// Where it is mounted.
  var point: String { ByteText(bytes: Self.unescaped(pointWord)).text }
  /// The directory of the filesystem that is mounted there.
  var root: String { ByteText(bytes: Self.unescaped(rootWord)).text }
  var fstype: String { String(repairing: Self.unescaped(typeWord), limit: 64) }
  var source: String { String(repairing: Self.unescaped(sourceWord), limit: 1024) }
  /// The flags of the mount itself.
  var options: [String] { Self.list(optionsWord) }
  /// The flags of the superblock, which all its mounts share.
  var superblockOptions: [String] { Self.list(superblockWord) }

  /// Whether no node of a device on it can be opened; its superblock may forbid that as well.
  var isNodev: Bool { has("nodev") }

  /// Whether set-id bits and capabilities of its files count for nothing.
  var isWithoutSetID: Bool { has("nosuid") }

  private func has(_ option: String) -> Bool {
    ByteScanner.split(optionsWord, at: UInt8(ascii: ",")).contains {
      $0.elementsEqual(option.utf8)
    }
  }

  /// Whether another machine or a program serves the filesystem, and may stop to answer.
  var isDistant: Bool { Self.isDistant(typeWord) }

  /// Whether filesystems of a type are distant.
  static func isDistant(_ type: String) -> Bool { isDistant(type.utf8) }

  private static func isDistant(_ type: some Sequence<UInt8>) -> Bool {
    distantTypes.contains { type.elementsEqual($0.utf8) } || type.starts(with: "fuse.".utf8)
  }

  /// The types of such filesystems; those of FUSE have a name of their own behind a point.
  private static let distantTypes = [
    "nfs", "nfs4", "fuse", "fuseblk", "cifs", "smb3", "9p", "virtiofs", "afs", "ceph", "glusterfs",
    "lustre",
  ]

  /// Whether the mount point is a path, compared as bytes.
  func isAt(_ path: [UInt8]) -> Bool {
    // Escapes make it longer.
    pointWord.count >= path.count && Self.unescaped(pointWord).elementsEqual(path)
  }

  /// Whether the path is at or below the mount point, compared as bytes.
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

  /// Undoes the octal escapes of blank, tab, newline, backslash and `#`.
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
