internal import AccessModel
internal import CLinux
internal import Glibc

/// Finds the processes that hold devices open, one process at a time.
///
/// A device is identified by its type and number, never by the path that was used to open it.
struct ProcessScanner: ~Copyable {
  private let proc: OpenDirectory
  private let numbers: NodeNumbers
  /// The targets, keyed by device number.
  private let targets: [NodeNumber: UseTarget]
  /// The known nodes of the devices; a device may have others.
  private let nodes: Set<FileIdentity>
  /// A Boolean value that indicates whether system calls can compare the processes in `proc`.
  ///
  /// That requires the running kernel's procfs, with the same PID namespace.
  private let isLive: Bool
  /// A Boolean value that indicates whether descriptor lists can be read starting at a given
  /// number.
  private let startsAtNumbers: Bool
  /// The reason to record if the kernel does not permit inspecting a process.
  private let refusal: UnseenProcesses.Reason
  private let observer: HolderObserver
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  private var mappings: MappedFiles

  init(
    proc: String, targets: [UseTarget], isLive: Bool, startsAtNumbers: Bool,
    refusal: UnseenProcesses.Reason, observer: HolderObserver
  ) throws(Errno) {
    self.proc = try OpenDirectory(proc)
    numbers = NodeNumbers(targets.map(\.number))
    self.targets = Dictionary(targets.map { ($0.number, $0) }) { first, _ in first }
    nodes = Set(targets.map(\.identity))
    self.isLive = isLive
    self.startsAtNumbers = startsAtNumbers
    self.refusal = refusal
    self.observer = observer
    mappings = MappedFiles(targets: targets)
  }

  /// Inspects a process.
  ///
  /// - Returns: The result, or `nil` if the process holds no device, has ended, or cannot hold a
  ///   file.
  /// - Throws: An error that indicates a lack of resources, such as memory, which prevents any
  ///   result.
  mutating func scan(at number: Int32) throws(Errno) -> InspectedProcess? {
    do throws(Errno) {
      // The kernel refuses this for the processes of other users, so it is tried before anything
      // else is opened.
      let descriptors = try DescriptorFolder("\(number)/fd", in: proc)
      let folder = try descriptors.process()
      return try scan(at: number, descriptors, in: folder)
    } catch {
      if error.isOfResources { throw error }
      return try unseen(error, at: number)
    }
  }

  private mutating func scan(
    at number: Int32, _ descriptors: borrowing DescriptorFolder, in folder: borrowing OpenDirectory
  ) throws(Errno) -> InspectedProcess? {
    var sighting = InspectedProcess()
    do throws(Errno) {
      try inspectDescriptors(descriptors, of: number, "fdinfo", in: folder, &sighting)
      let hasThreads = try inspectThreads(of: number, in: folder, &sighting)
      try inspectMappings(in: folder, hasThreads, &sighting)
    } catch {
      if error.isOfResources { throw error }
      guard try !holdsNothing("stat", in: folder.descriptor) else { return nil }
      sighting.unseen = error.isOfRefusal ? refusal : .failed
    }
    if !sighting.holds.isEmpty {
      addWriting(in: folder, to: &sighting)
      sighting.process = try observer.process(number, in: folder.descriptor)
    }
    return sighting.holds.isEmpty && sighting.unseen == nil ? nil : sighting
  }

  /// Records whether a holder that may feed a virtual camera has written enough bytes for a
  /// picture.
  private func addWriting(
    in folder: borrowing OpenDirectory, to sighting: inout InspectedProcess
  ) {
    let cameras = sighting.holds.filter { number, hold in
      !hold.isMapped && hold.access != .read && targets[number]?.device?.loopbackVersion != nil
    }.keys
    guard !cameras.isEmpty, let count = WrittenBytes.read(in: folder.descriptor) else { return }
    for number in cameras { sighting.holds[number]?.hasWritten = count >= Self.picture }
  }

  /// The number of bytes from which a holder counts as having written a picture.
  ///
  /// Even a program that feeds small pictures exceeds it within seconds.
  private static let picture: UInt64 = 1 << 20

  // MARK: Processes that cannot be inspected

  /// Returns the result for a process whose descriptors cannot be listed, or `nil` if it holds
  /// nothing.
  private mutating func unseen(
    _ error: Errno, at number: Int32
  ) throws(Errno) -> InspectedProcess? {
    var sighting = InspectedProcess()
    sighting.unseen = error.isOfRefusal ? refusal : .failed
    // Most processes have memory. `statm` shows that much faster than `stat`, which contains more.
    if try hasMemory(number) { return sighting }
    do throws(Errno) {
      guard try holdsNothing("\(number)/stat", in: proc.descriptor) else { return sighting }
      sighting.unseen = .failed
      return isCovered(number) ? sighting : nil
    } catch {
      guard error.isOfRefusal else { throw error }
      // With the mount option hidepid=, no file of the process can be read.
      sighting.unseen = .hidden
      return sighting
    }
  }

  /// Returns whether another mount covers the folder of a process, which makes the process look
  /// ended.
  private func isCovered(_ number: Int32) -> Bool {
    func exists(_ name: String) -> Bool { unsafe faccessat(proc.descriptor, name, F_OK, 0) == 0 }
    return exists("\(number)") && !exists("\(number)/stat") && exists("\(number)")
  }

  /// Returns whether a process certainly has memory, unlike a kernel thread or an ended process.
  private mutating func hasMemory(_ number: Int32) throws(Errno) -> Bool {
    do throws(Errno) {
      return try head(of: "\(number)/statm", in: proc.descriptor).first != UInt8(ascii: "0")
    } catch {
      if error.isOfResources { throw error }
      return false
    }
  }

  /// Returns whether a process holds nothing because it has ended or is a kernel thread.
  ///
  /// - Throws: An error that indicates a lack of resources, or the error that refuses access to the
  ///   file.
  private mutating func holdsNothing(_ file: String, in folder: Int32) throws(Errno) -> Bool {
    do throws(Errno) {
      return ProcessStat(parsing: Array(try head(of: file, in: folder)))?.holdsNothing ?? false
    } catch {
      if error.isOfResources || error.isOfRefusal { throw error }
      return error.isOfEndedProcess
    }
  }

  /// Reads a file with one call, which suffices because the kernel returns these files at once.
  ///
  /// Without privileges, the scanner reads such a file for each process of another user.
  private mutating func head(of file: String, in folder: Int32) throws(Errno) -> ArraySlice<UInt8> {
    let opened = unsafe openat(folder, file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard opened >= 0 else { throw .current }
    defer { close(opened) }
    let count = unsafe buffer.withUnsafeMutableBytes { bytes in
      unsafe read(opened, bytes.baseAddress, bytes.count)
    }
    guard count >= 0 else { throw .current }
    return buffer[..<count]
  }

  // MARK: Descriptors

  private mutating func inspectDescriptors(
    _ descriptors: borrowing DescriptorFolder, of owner: Int32, _ details: String,
    in folder: borrowing OpenDirectory, _ sighting: inout InspectedProcess
  ) throws(Errno) {
    let (numbers, targets, nodes, process) = (numbers, targets, nodes, folder.descriptor)
    let refusal = refusal
    var places: NodeMounts?
    try descriptors.each(startsAtNumbers: startsAtNumbers, &buffer) {
      (file, number) throws(Errno) in
      guard let file else {
        if try Self.canBeDevice("\(details)/\(number)", in: process, &places) {
          sighting.unseen = refusal
        }
        return
      }
      guard let device = file.device, numbers.contains(device) else { return }
      guard targets[device]?.isOfEarlierDevice(file) != true else { return }
      try Self.add(
        SeenDescriptor(owner: owner, number: number, device: device), "\(details)/\(number)",
        isOtherNode: !nodes.contains(file.identity), in: process, &sighting)
    }
  }

  /// Returns whether a descriptor whose file is unknown may refer to a device.
  ///
  /// A filesystem that a user has mounted contains no device nodes.
  ///
  /// - Throws: The error that prevents inspecting the process at all.
  private static func canBeDevice(
    _ details: String, in folder: Int32, _ places: inout NodeMounts?
  ) throws(Errno) -> Bool {
    let mount: BoundedFile.Contents
    do throws(Errno) {
      mount = try BoundedFile.read(details, in: folder, limit: 1 << 16)
    } catch {
      // The descriptor has been closed.
      if error == .noSuchFile { return false }
      throw error
    }
    let known: NodeMounts
    if let places { known = places } else { known = try NodeMounts(of: folder) }
    places = known
    return known.includes(descriptor: mount.bytes)
  }

  /// Adds a descriptor, unless it is an `O_PATH` descriptor or has been closed.
  private static func add(
    _ descriptor: SeenDescriptor, _ details: String, isOtherNode: Bool, in folder: Int32,
    _ sighting: inout InspectedProcess
  ) throws(Errno) {
    var flags: DescriptorFlags?
    do throws(Errno) {
      let file = try BoundedFile.read(details, in: folder, limit: 1 << 16)
      flags = DescriptorFlags(parsing: file.bytes)
    } catch {
      if error == .noSuchFile { return }
      if error.isOfResources || error.isOfEndedProcess { throw error }
    }
    guard flags?.isPathOnly != true else { return }
    sighting.descriptors.append(descriptor)
    var hold = sighting.holds[descriptor.device] ?? DeviceHold(descriptors: 0, access: nil)
    hold.descriptors += 1
    if isOtherNode { hold.isThroughOtherNode = true }
    if let flags { hold.access = (hold.access ?? []).union(flags.access) }
    sighting.holds[descriptor.device] = hold
  }

  // MARK: Threads

  /// Inspects the threads that have their own descriptors (`unshare(2)` with `CLONE_FILES`).
  ///
  /// - Returns: `true` if the process has more than one thread.
  private mutating func inspectThreads(
    of number: Int32, in folder: borrowing OpenDirectory, _ sighting: inout InspectedProcess
  ) throws(Errno) -> Bool {
    // The folder has one link for its name, one for its `.` entry, and one for each thread.
    guard try OpenFile(following: "task", in: folder.descriptor).links > 3 else { return false }
    var threads: [(number: Int32, isOther: Bool)] = []
    let isLive = isLive
    try eachThread(in: folder) { thread in
      guard thread != number else { return }
      let comparison = isLive ? clinux_compare_descriptors(number, thread) : -ENOSYS
      if comparison != 0 { threads.append((thread, isOther: comparison > 0)) }
    }
    for (thread, isOther) in threads {
      do throws(Errno) {
        let descriptors = try DescriptorFolder("task/\(thread)/fd", in: folder)
        let before = sighting
        try inspectDescriptors(
          descriptors, of: thread, "task/\(thread)/fdinfo", in: folder, &sighting)
        // If the kernel does not compare the tables, equal descriptors most likely belong to a
        // shared table and are counted once.
        if !isOther, sighting.hasNone(besides: before) { sighting = before }
      } catch {
        // A thread may end while the process continues.
        guard error.isOfEndedProcess else { throw error }
      }
    }
    return true
  }

  private mutating func eachThread(
    in folder: borrowing OpenDirectory, _ body: (Int32) -> Void
  ) throws(Errno) {
    let directory = try OpenDirectory("task", in: folder.descriptor)
    while let end = try DirectoryEntries.fill(&buffer, from: directory.descriptor) {
      var entries = DirectoryEntries(end: end)
      while let name = entries.next(in: buffer) {
        let number = DirectoryEntries.number(at: name, in: buffer).flatMap(Int32.init(exactly:))
        if let number { body(number) }
      }
    }
  }

  // MARK: Mappings

  private mutating func inspectMappings(
    in folder: borrowing OpenDirectory, _ hasThreads: Bool, _ sighting: inout InspectedProcess
  ) throws(Errno) {
    var found = try mappings.devices(in: folder.descriptor, &buffer)
    if found == nil, hasThreads { found = try mappingsOfThreads(in: folder) }
    for device in found ?? [] {
      sighting.holds[device, default: DeviceHold(descriptors: 0, access: nil)].isMapped = true
    }
    if mappings.hasMissed { sighting.unseen = refusal }
  }

  /// Returns the devices that the remaining threads map after the first thread has ended, or `nil`
  /// if no thread remains.
  private mutating func mappingsOfThreads(
    in folder: borrowing OpenDirectory
  ) throws(Errno) -> Set<NodeNumber>? {
    var threads: [Int32] = []
    try eachThread(in: folder) { threads.append($0) }
    for thread in threads {
      do throws(Errno) {
        let own = try OpenDirectory("task/\(thread)", in: folder.descriptor)
        if let found = try mappings.devices(in: own.descriptor, &buffer) { return found }
      } catch {
        guard error.isOfEndedProcess else { throw error }
      }
    }
    return nil
  }
}

/// The result of inspecting one process.
struct InspectedProcess: Sendable {
  /// The facts of the process, if it holds one of the devices.
  var process: HoldingProcess?
  /// The way the process holds each device.
  var holds: [NodeNumber: DeviceHold] = [:]
  /// The open descriptors of the devices.
  var descriptors: [SeenDescriptor] = []
  /// The reason why the process could not be inspected completely.
  var unseen: UnseenProcesses.Reason?

  /// Returns whether this sighting has no new descriptors compared with an earlier one.
  ///
  /// That is the case for threads that share their descriptors.
  func hasNone(besides earlier: InspectedProcess) -> Bool {
    func keys(_ descriptors: some Sequence<SeenDescriptor>) -> Set<[UInt32]> {
      Set(
        descriptors.map {
          [$0.number, $0.device.number.major, $0.device.number.minor, $0.device.isBlock ? 1 : 0]
        })
    }
    return unseen == earlier.unseen
      && keys(descriptors[earlier.descriptors.count...]).isSubset(of: keys(earlier.descriptors))
  }
}

/// A set of devices that is optimized for a lookup for each open file of every process.
struct NodeNumbers: Sendable {
  private let all: Set<NodeNumber>
  /// The same devices in an array if there are few, because a linear search is then faster than
  /// hashing.
  private let few: [NodeNumber]

  init(_ numbers: [NodeNumber]) {
    all = Set(numbers)
    few = all.count <= 8 ? Array(all) : []
  }

  func contains(_ number: NodeNumber) -> Bool {
    few.isEmpty ? all.contains(number) : few.contains(number)
  }
}
