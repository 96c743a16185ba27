internal import AccessModel
internal import CLinux
internal import Glibc

/// Finds the devices that processes have mapped.
///
/// A mapping keeps a device open after its descriptor is closed. The table of mappings contains the
/// filesystem and inode of a node but not the device number, so other nodes of the same device must
/// be inspected. Each file is inspected once, regardless of how many processes map it.
struct MappedFiles {
  private let numbers: Set<NodeNumber>
  /// The kinds of mapping that the drivers of the targets permit.
  private let rule: MappingRule
  /// The device of each file; `nil` for a file that is not one of the targets.
  private var devices: [FileIdentity: NodeNumber?] = [:]
  /// A Boolean value that indicates whether `map_files` can be read (CAP_CHECKPOINT_RESTORE).
  private var followsMapFiles: Bool
  /// A Boolean value that indicates whether the last process may map an unidentified device.
  private(set) var hasMissed = false
  /// The mounts of that process that may contain device nodes, which are read on first use.
  private var places: NodeMounts??
  /// A Boolean value that indicates whether the kernel can report single mappings (Linux 6.11).
  private var asksForMappings: Bool

  /// The maximum number of bytes to read from one table.
  private static let limit = 1 << 26

  /// Creates a finder, and determines which methods it may try.
  init(targets: [UseTarget], followsMapFiles: Bool = true, asksForMappings: Bool = true) {
    self.followsMapFiles = followsMapFiles
    self.asksForMappings = asksForMappings
    numbers = Set(targets.map(\.number))
    rule = targets.map { MappingRule(of: $0.device) }.max() ?? .none
    for target in targets { devices[target.identity] = .some(target.number) }
  }

  /// Returns the devices that a process maps.
  ///
  /// If more devices may be mapped, ``hasMissed`` is `true` afterwards.
  ///
  /// - Parameters:
  ///   - folder: A descriptor of the process's folder in `/proc`.
  ///   - buffer: Memory to read into; its contents do not matter.
  /// - Returns: The targets that the process maps. The result is `nil` if the table does not exist
  ///   because the process, or its first thread, has ended.
  /// - Throws: The error that prevents reading the table.
  mutating func devices(
    in folder: Int32, _ buffer: inout [UInt8]
  ) throws(Errno) -> Set<NodeNumber>? {
    (hasMissed, places) = (false, nil)
    guard rule != .none else { return [] }
    let file = unsafe openat(folder, "maps", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      if Errno.current == .noSuchProcess { return nil }
      throw .current
    }
    defer { close(file) }
    if asksForMappings {
      switch try ask(file, in: folder) {
      case .found(let devices): return devices
      case .noMemory: return nil
      case .notKnown: break
      }
    }
    return try read(file, in: folder, &buffer)
  }

  private enum Reply {
    case found(Set<NodeNumber>)
    case noMemory
    case notKnown
  }

  // MARK: One mapping at a time

  /// Requests the mappings of files one at a time, if the kernel supports it.
  private mutating func ask(_ file: Int32, in folder: Int32) throws(Errno) -> Reply {
    var found: Set<NodeNumber> = []
    var next = clinux_mapping()
    var result = unsafe clinux_next_mapping(file, 0, rule == .shared, &next, nil, 0)
    if result == -ENOTTY || result == -EINVAL {
      asksForMappings = false
      return .notKnown
    }
    if result == -ESRCH { return .noMemory }
    while result == 0 {
      let identity = FileIdentity(
        filesystem: DeviceNumber(major: next.dev_major, minor: next.dev_minor), inode: next.inode)
      if devices[identity] == nil {
        _ = try device(of: mapping(next, identity, file), in: folder)
      }
      if let known = devices[identity] {
        if let known { found.insert(known) }
        result = unsafe clinux_next_other_mapping(file, rule == .shared, &next)
      } else {
        // If the file could not be inspected, another mapping of it may identify the device.
        result = unsafe clinux_next_mapping(file, next.end, rule == .shared, &next, nil, 0)
      }
    }
    // No mappings are left, or the process or its first thread has ended.
    guard result == -ENOENT || result == -ESRCH else { throw Errno(negated: result) }
    return .found(found)
  }

  private func mapping(
    _ mapping: clinux_mapping, _ identity: FileIdentity, _ file: Int32
  ) -> MappingTable.Mapping {
    var path: String?
    var name = [CChar](repeating: 0, count: 4096)
    var same = clinux_mapping()
    let result = unsafe clinux_next_mapping(file, mapping.start, false, &same, &name, 4096)
    let bytes = name.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }
    if result == 0, same.inode == mapping.inode, bytes.first == UInt8(ascii: "/") {
      path = ByteText(bytes: bytes).text
    }
    return MappingTable.Mapping(
      file: identity,
      range: String(mapping.start, radix: 16) + "-" + String(mapping.end, radix: 16),
      isShared: mapping.is_shared, path: path)
  }

  // MARK: The whole table

  /// Reads all lines of the table; returns `nil` if it is empty, as after an exit.
  private mutating func read(
    _ file: Int32, in folder: Int32, _ buffer: inout [UInt8]
  ) throws(Errno) -> Set<NodeNumber>? {
    var found: Set<NodeNumber> = []
    var filled = 0
    var total = 0
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { bytes in
        unsafe Glibc.read(file, bytes.baseAddress! + filled, bytes.count - filled)
      }
      guard count >= 0 else {
        let failure = Errno.current
        if failure == .interrupted { continue }
        throw failure
      }
      guard count > 0 else { return total == 0 ? nil : found }
      filled += count
      total += count
      guard total <= Self.limit else { throw .tooBig }
      let known = devices
      var mappings: [MappingTable.Mapping] = []
      let whole = MappingTable.read(
        buffer.span.extracting(0..<filled), sharedOnly: rule == .shared
      ) { file, _ in
        // The file is known not to be one of the devices.
        if let device = known[file] { device == nil } else { false }
      } _: {
        mappings.append($0)
      }
      for mapping in mappings {
        if let device = try device(of: mapping, in: folder) { found.insert(device) }
      }
      // No line fills the buffer. A path has at most 4096 bytes, and each may be escaped.
      guard whole > 0 || filled < buffer.count else { throw .tooBig }
      for index in whole..<filled { buffer[index - whole] = buffer[index] }
      filled -= whole
    }
  }

  private mutating func device(
    of mapping: MappingTable.Mapping, in folder: Int32
  ) throws(Errno) -> NodeNumber? {
    if let known = devices[mapping.file] { return known }
    if followsMapFiles {
      do throws(Errno) {
        return keep(try OpenFile(following: "map_files/\(mapping.range)", in: folder), mapping)
      } catch {
        if error.isOfResources { throw error }
        // Only EPERM applies to all mappings. For a single file, the filesystem's server may refuse
        // access, even to root.
        if error == .notPermitted { followsMapFiles = false }
      }
    }
    guard try canBeDevice(mapping, in: folder) else { return nil }
    // The path is resolved in the process's own root directory.
    if let path = mapping.path {
      do throws(Errno) {
        let file = try OpenFile(following: "root\(path)", in: folder)
        // Some filesystems have different numbers in the table. The name of a deleted file may be
        // reused.
        if file.identity == mapping.file || !path.hasSuffix(" (deleted)") {
          return keep(file, mapping)
        }
      } catch {
        if error.isOfResources { throw error }
      }
    }
    hasMissed = true
    return nil
  }

  /// Returns whether a file's filesystem may contain device nodes.
  ///
  /// If not, the file is not inspected, so the servers of user-mounted filesystems are not
  /// contacted.
  private mutating func canBeDevice(
    _ mapping: MappingTable.Mapping, in folder: Int32
  ) throws(Errno) -> Bool {
    if places == nil {
      do throws(Errno) {
        places = .some(try NodeMounts(of: folder))
      } catch {
        if error.isOfResources { throw error }
        places = .some(nil)
      }
    }
    guard case .some(.some(let places)) = places else { return true }
    return places.includes(filesystem: mapping.file.filesystem)
  }

  private mutating func keep(
    _ file: OpenFile, _ mapping: MappingTable.Mapping
  ) -> NodeNumber? {
    let device = file.device.flatMap { numbers.contains($0) ? $0 : nil }
    devices[mapping.file] = .some(device)
    return device
  }
}

/// The kinds of mapping that a device permits, which limits the mappings to inspect.
enum MappingRule: Int, Comparable, Sendable {
  /// The driver does not permit any mapping.
  case none
  /// The driver permits only shared mappings.
  case shared
  /// The driver may permit any mapping.
  case any

  /// Determines the rule for a device, which is `any` if the device is unknown.
  init(of device: DeviceFacts?) {
    guard let device else {
      self = .any
      return
    }
    switch device.subsystem {
    // The file operations of these subsystems do not include `mmap`, regardless of the hardware.
    case "tty", "input", "hidraw": self = .none
    case "misc": self = device.kernelName == "kvm" ? .none : .any
    case "mem":
      let unmapped = ["null", "full", "random", "urandom", "kmsg"]
      self = unmapped.contains(device.kernelName) ? .none : .any
    // videobuf2 permits only shared mappings, but not every driver uses it.
    case "video4linux":
      self = ["uvcvideo", "vivid"].contains(device.driver ?? "") ? .shared : .any
    default: self = .any
    }
  }

  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The mounts of a process that may contain device nodes, which are those without `nodev`.
///
/// A filesystem that is mounted without privileges always has `nodev`. That includes all FUSE
/// filesystems that users mount.
struct NodeMounts {
  private var filesystems: Set<DeviceNumber> = []
  private var mounts: Set<UInt64> = []

  /// Reads the mounts of a process (proc_pid_mountinfo(5)).
  ///
  /// - Parameter folder: A descriptor of the process's folder in `/proc`.
  /// - Throws: ``Errno/tooBig`` if the table is too long, ``Errno/invalidArgument`` if a line is
  ///   malformed, or the error that prevents reading the table.
  init(of folder: Int32) throws(Errno) {
    let contents = try BoundedFile.read("mountinfo", in: folder, limit: MountTable.limit)
    guard !contents.isTruncated else { throw .tooBig }
    let table = MountTable(parsing: contents.bytes)
    guard table.malformedLines == 0 else { throw .invalidArgument }
    for entry in table.entries where !entry.isNodev {
      guard let filesystem = entry.filesystem else { throw .invalidArgument }
      mounts.insert(entry.id)
      filesystems.insert(filesystem)
    }
  }

  /// Returns whether a filesystem may contain device nodes.
  ///
  /// A filesystem that is not mounted, such as the kernel's internal one for shared memory,
  /// contains none.
  func includes(filesystem: DeviceNumber) -> Bool { filesystems.contains(filesystem) }

  /// Returns whether the file of a descriptor may be a device.
  ///
  /// - Parameter details: The contents of the descriptor's file in `fdinfo` (proc_pid_fdinfo(5)).
  /// - Returns: A Boolean value, which is `true` if the file does not contain the mount ID.
  func includes(descriptor details: [UInt8]) -> Bool {
    let key = Array("mnt_id:".utf8)
    for line in details.split(separator: ByteScanner.newline) where line.starts(with: key) {
      guard let word = ByteScanner.words(line.dropFirst(key.count)).first,
        let id = ByteScanner.number(word)
      else { return true }
      return mounts.contains(UInt64(id))
    }
    return true
  }
}
