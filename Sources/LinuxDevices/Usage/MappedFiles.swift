internal import AccessModel
internal import CLinux
internal import Glibc

/// Tells which mappings of processes are of devices.
///
/// A mapping keeps a device open after its descriptor is closed. The table of mappings names the
/// filesystem and inode of a node and not the device, so that another node of the same device
/// has to be looked at; each file is looked at once, whatever the number of processes that map it.
struct MappedFiles {
  private let numbers: Set<NodeNumber>
  /// What of the devices in question can be mapped.
  private let rule: MappingRule
  /// The device that a file is; `nil` for a file that is none of those in question.
  private var devices: [FileIdentity: NodeNumber?] = [:]
  /// Whether `map_files` may be followed, which takes CAP_CHECKPOINT_RESTORE.
  private var followsMapFiles: Bool
  /// Whether the kernel answers for single mappings (Linux 6.11), and need not print them all.
  private var asksForMappings: Bool

  /// The most bytes that are read of one table.
  private static let limit = 1 << 26

  /// Finds out what the kernel allows, unless it is known that it does not.
  init(targets: [UseTarget], followsMapFiles: Bool = true, asksForMappings: Bool = true) {
    self.followsMapFiles = followsMapFiles
    self.asksForMappings = asksForMappings
    numbers = Set(targets.map(\.number))
    rule = targets.map { MappingRule(of: $0.device) }.max() ?? .none
    for target in targets { devices[target.identity] = .some(target.number) }
  }

  /// The devices that a process maps.
  ///
  /// - Parameters:
  ///   - folder: The folder of the process below `/proc`.
  ///   - buffer: Memory to read into; what it holds does not matter.
  /// - Throws: The error that keeps the table from being read.
  /// - Returns: Those of the devices in question.
  mutating func devices(
    in folder: Int32, _ buffer: inout [UInt8]
  ) throws(Errno) -> Set<NodeNumber> {
    guard rule != .none else { return [] }
    let file = unsafe openat(folder, "maps", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw .current }
    defer { close(file) }
    if asksForMappings, let found = try ask(file, in: folder) { return found }
    return try read(file, in: folder, &buffer)
  }

  // MARK: One mapping after the other

  /// Asks for each mapping of a file; `nil` where the kernel does not know the question.
  private mutating func ask(
    _ file: Int32, in folder: Int32
  ) throws(Errno) -> Set<NodeNumber>? {
    var found: Set<NodeNumber> = []
    var next = clinux_mapping()
    var result = unsafe clinux_next_mapping(file, 0, rule == .shared, &next, nil, 0)
    if result == -ENOTTY || result == -EINVAL {
      asksForMappings = false
      return nil
    }
    while result == 0 {
      let identity = FileIdentity(
        filesystem: DeviceNumber(major: next.dev_major, minor: next.dev_minor), inode: next.inode)
      if devices[identity] == nil, canLook(isShared: next.is_shared) {
        _ = try device(of: mapping(next, identity, file), in: folder)
      }
      if let known = devices[identity] {
        if let known { found.insert(known) }
        result = unsafe clinux_next_other_mapping(file, rule == .shared, &next)
      } else {
        // Of a file that could not be looked at, another mapping may tell.
        result = unsafe clinux_next_mapping(file, next.end, rule == .shared, &next, nil, 0)
      }
    }
    // There is no further one, or the process, or its first thread, has ended.
    guard result == -ENOENT || result == -ESRCH else { throw Errno(negated: result) }
    return found
  }

  private func mapping(
    _ mapping: clinux_mapping, _ identity: FileIdentity, _ file: Int32
  ) -> MappingTable.Mapping {
    var path: String?
    if mapping.is_shared {
      var name = [CChar](repeating: 0, count: 4096)
      var same = clinux_mapping()
      let result = unsafe clinux_next_mapping(file, mapping.start, false, &same, &name, 4096)
      let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      if result == 0, same.inode == mapping.inode, bytes.first == UInt8(ascii: "/") {
        path = ByteText(bytes: bytes).text
      }
    }
    return MappingTable.Mapping(
      file: identity,
      range: String(mapping.start, radix: 16) + "-" + String(mapping.end, radix: 16),
      isShared: mapping.is_shared, path: path)
  }

  // MARK: The whole table

  /// Reads the lines of every mapping.
  private mutating func read(
    _ file: Int32, in folder: Int32, _ buffer: inout [UInt8]
  ) throws(Errno) -> Set<NodeNumber> {
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
      guard count > 0 else { return found }
      filled += count
      total += count
      guard total <= Self.limit else { throw .tooBig }
      let known = devices
      var mappings: [MappingTable.Mapping] = []
      let whole = MappingTable.read(
        buffer.span.extracting(0..<filled), sharedOnly: rule == .shared
      ) { file, isShared in
        // Known to be none of the devices, or of no use.
        if let device = known[file] { device == nil } else { !canLook(isShared: isShared) }
      } _: {
        mappings.append($0)
      }
      for mapping in mappings {
        if let device = try device(of: mapping, in: folder) { found.insert(device) }
      }
      // No line is as long as the buffer: a path has at most 4096 bytes, each of them escaped.
      guard whole > 0 || filled < buffer.count else { throw .tooBig }
      for index in whole..<filled { buffer[index - whole] = buffer[index] }
      filled -= whole
    }
  }

  /// Whether there is a way to look at a file that is not known.
  private func canLook(isShared: Bool) -> Bool { isShared || followsMapFiles }

  private mutating func device(
    of mapping: MappingTable.Mapping, in folder: Int32
  ) throws(Errno) -> NodeNumber? {
    if let known = devices[mapping.file] { return known }
    if followsMapFiles {
      do throws(Errno) {
        return keep(try OpenFile(following: "map_files/\(mapping.range)", in: folder), mapping)
      } catch {
        if error.isOfResources { throw error }
        // The mapping may be gone by now; only a refusal holds for every other.
        followsMapFiles = error != .notPermitted && error != .permissionDenied
      }
    }
    // A driver's memory is shared. A path is followed only for that, in the process's own root.
    guard mapping.isShared, let path = mapping.path,
      let file = try? OpenFile(following: "root\(path)", in: folder),
      file.identity == mapping.file
    else { return nil }
    return keep(file, mapping)
  }

  private mutating func keep(
    _ file: OpenFile, _ mapping: MappingTable.Mapping
  ) -> NodeNumber? {
    let device = file.device.flatMap { numbers.contains($0) ? $0 : nil }
    devices[mapping.file] = .some(device)
    return device
  }
}
