internal import AccessModel
internal import CCapability
internal import CLinux
internal import Glibc

/// Reads the credentials of the calling thread.
///
/// Credentials belong to the thread, not to the process: `/proc/self/status` would show the
/// credentials of the main thread. No privilege is needed.
struct CredentialObserver {
  var roots: MachineRoots

  struct Observation {
    var subject: Subject
    var translator: IDTranslator
    var seccompMode: Int?
    var unobserved: [Unobserved] = []
  }

  func observe() -> Observation {
    let proc = "\(roots.proc)/thread-self"
    var unobserved: [Unobserved] = []
    var status: ThreadStatus?
    do throws(Errno) {
      status = ThreadStatus(parsing: try BoundedFile.read("\(proc)/status", limit: 1 << 20).bytes)
    } catch {
      unobserved.append(Unobserved("status", at: "\(proc)/status", reason: error.reason))
    }

    var subject = Subject(uid: 65534, gid: 65534)
    if roots.proc == "/proc" {
      readSystemCalls(into: &subject, status: status)
    } else {
      read(status, into: &subject)
    }

    let namespace = readNamespace(proc, into: &subject, &unobserved)
    var translator = IDTranslator(namespace: namespace)
    if namespace != nil { translator.readOverflow(roots) }
    translate(&subject, with: &translator)
    return Observation(
      subject: subject, translator: translator, seccompMode: status?.seccompMode,
      unobserved: unobserved)
  }

  /// Reads the calling thread's credentials with system calls, and the rest from its status file.
  private func readSystemCalls(into subject: inout Subject, status: ThreadStatus?) {
    unsafe getresuid(&subject.ruid, &subject.euid, &subject.suid)
    unsafe getresgid(&subject.rgid, &subject.egid, &subject.sgid)
    // An invalid ID is not set, so the call only returns the current ID (setfsuid(2)).
    subject.fsuid = status?.users?[3] ?? UInt32(bitPattern: setfsuid(uid_t.max))
    subject.fsgid = status?.groups?[3] ?? UInt32(bitPattern: setfsgid(gid_t.max))
    if let groups = Self.supplementaryGroups() {
      subject.groups = groups
    } else {
      subject.unobserved.insert(.groups)
    }

    do throws(Errno) {
      let state = try CapabilityState()
      subject.permitted = try state.members(of: CAP_PERMITTED)
      subject.effective = try state.members(of: CAP_EFFECTIVE)
      subject.inheritable = try state.members(of: CAP_INHERITABLE)
      // One line of the file replaces one system call for each capability.
      subject.bounding = status?.bounding ?? CapabilityState.bounding()
      subject.ambient = status?.ambient ?? CapabilityState.ambient()
    } catch {
      subject.unobserved.insert(.capabilities)
    }

    let bits = clinux_securebits()
    if bits >= 0 {
      subject.securebits = UInt32(bits)
    } else {
      subject.unobserved.insert(.securebits)
    }
    subject.noNewPrivileges = clinux_no_new_privileges() == 1
  }

  /// Copies the credentials in a thread's status file to the subject.
  func read(_ status: ThreadStatus?, into subject: inout Subject) {
    subject.unobserved.insert(.securebits)
    if let users = status?.users, let groups = status?.groups {
      (subject.ruid, subject.euid, subject.suid, subject.fsuid) =
        (users[0], users[1], users[2], users[3])
      (subject.rgid, subject.egid, subject.sgid, subject.fsgid) =
        (groups[0], groups[1], groups[2], groups[3])
    } else {
      subject.unobserved.insert(.ids)
    }
    if let groups = status?.supplementaryGroups {
      subject.groups = groups
    } else {
      subject.unobserved.insert(.groups)
    }
    if let permitted = status?.permitted, let effective = status?.effective {
      subject.permitted = permitted
      subject.effective = effective
    } else {
      subject.unobserved.insert(.capabilities)
    }
    subject.inheritable = status?.inheritable ?? []
    subject.bounding = status?.bounding ?? .all
    subject.ambient = status?.ambient ?? []
    subject.noNewPrivileges = status?.noNewPrivileges ?? false
  }

  static func supplementaryGroups() -> [UInt32]? {
    // Each scan of a watch asks for the groups, and most processes have few. NGROUPS_MAX is 65536.
    var room: Int32 = 64
    for _ in 0..<4 {
      var written: Int32 = -1
      let groups = unsafe [gid_t](unsafeUninitializedCapacity: Int(room)) { buffer, count in
        written = unsafe getgroups(room, buffer.baseAddress)
        count = max(0, Int(written))
      }
      if written >= 0 { return groups }
      // The number of groups may grow before the next call.
      room = getgroups(0, nil)
      guard room >= 0 else { return nil }
    }
    return nil
  }

  /// Reads the ID maps of the subject's user namespace.
  ///
  /// Maps that do not change any ID lead to the same decisions as the initial namespace.
  ///
  /// - Returns: The maps; `nil` if they cannot be read or do not change any ID.
  func readNamespace(
    _ proc: String, into subject: inout Subject, _ unobserved: inout [Unobserved]
  ) -> IDMapping? {
    do throws(Errno) {
      let users = try BoundedFile.read("\(proc)/uid_map", limit: 1 << 16)
      let groups = try BoundedFile.read("\(proc)/gid_map", limit: 1 << 16)
      guard let users = IDMap(parsing: users.bytes), let groups = IDMap(parsing: groups.bytes)
      else {
        subject.unobserved.insert(.userns)
        unobserved.append(
          Unobserved("user namespace", at: "\(proc)/uid_map", reason: "a line is malformed"))
        return nil
      }
      if users.isIdentity && groups.isIdentity { return nil }
      let mapping = IDMapping(users: users, groups: groups)
      subject.userNamespace = mapping
      // A reader inside the namespace sees the parent's IDs, but none further out.
      unobserved.append(
        Unobserved(
          "user namespace", at: "\(proc)/uid_map",
          reason: "the numbers are those of the outermost visible namespace"))
      return mapping
    } catch {
      subject.unobserved.insert(.userns)
      unobserved.append(Unobserved("user namespace", at: "\(proc)/uid_map", reason: error.reason))
      return nil
    }
  }

  func translate(_ subject: inout Subject, with translator: inout IDTranslator) {
    subject.ruid = translator.user(subject.ruid)
    subject.euid = translator.user(subject.euid)
    subject.suid = translator.user(subject.suid)
    subject.fsuid = translator.user(subject.fsuid)
    subject.rgid = translator.group(subject.rgid)
    subject.egid = translator.group(subject.egid)
    subject.sgid = translator.group(subject.sgid)
    subject.fsgid = translator.group(subject.fsgid)
    for index in subject.groups.indices {
      subject.groups[index] = translator.group(subject.groups[index])
    }
  }
}

extension IDTranslator {
  /// Reads `kernel.overflowuid` and `kernel.overflowgid`, which an administrator may have changed.
  fileprivate mutating func readOverflow(_ roots: MachineRoots) {
    let user = try? BoundedFile.line("\(roots.proc)/sys/kernel/overflowuid", limit: 16)
    let group = try? BoundedFile.line("\(roots.proc)/sys/kernel/overflowgid", limit: 16)
    overflowUser = user.flatMap { UInt32($0) } ?? overflowUser
    overflowGroup = group.flatMap { UInt32($0) } ?? overflowGroup
  }
}

extension CredentialObserver {
  /// The reading process: its user namespace, and the translator for the IDs that it reads.
  typealias Reader = (userNamespace: IDMapping?, translator: IDTranslator)

  /// Reads the credentials of another process from its directory in `/proc`.
  ///
  /// Every process may read them. The secure bits are not in any file.
  func observe(process: String, reader: Reader) -> Observation {
    var unobserved: [Unobserved] = []
    var status: ThreadStatus?
    do throws(Errno) {
      status = ThreadStatus(
        parsing: try BoundedFile.read("\(process)/status", limit: 1 << 20).bytes)
    } catch {
      unobserved.append(Unobserved("status", reason: error.reason))
    }
    var subject = Subject(uid: 65534, gid: 65534)
    read(status, into: &subject)
    unobserved.append(
      Unobserved("securebits", reason: "those of another process are not visible in any file"))
    var translator = reader.translator
    translate(&subject, with: &translator)
    readNamespace(of: process, reader: reader, into: &subject, &unobserved)
    return Observation(
      subject: subject, translator: translator, seccompMode: status?.seccompMode,
      unobserved: unobserved)
  }

  /// Reads the ID maps of another process's user namespace.
  ///
  /// A reader in the initial namespace sees the kernel's own IDs. A reader in another namespace
  /// sees its own maps for the processes in that namespace. For any further namespace, it sees only
  /// the part that its own maps cover.
  private func readNamespace(
    of process: String, reader: Reader, into subject: inout Subject,
    _ unobserved: inout [Unobserved]
  ) {
    var ignored: [Unobserved] = []
    let mapping = readNamespace(process, into: &subject, &ignored)
    if subject.unobserved.contains(.userns) {
      unobserved += ignored
    } else if reader.userNamespace != nil {
      guard mapping != reader.userNamespace else { return }
      subject.userNamespace = nil
      subject.unobserved.insert(.userns)
      unobserved.append(
        Unobserved(
          "user namespace", reason: "its maps cannot be read exactly from inside another namespace")
      )
    }
  }
}

/// The credentials in `/proc/PID/task/TID/status` (proc_pid_status(5)).
struct ThreadStatus: Hashable, Sendable {
  /// The real, effective, saved and filesystem user IDs.
  var users: [UInt32]?
  /// The real, effective, saved and filesystem group IDs.
  var groups: [UInt32]?
  var supplementaryGroups: [UInt32]?
  var inheritable: CapabilitySet?
  var permitted: CapabilitySet?
  var effective: CapabilitySet?
  var bounding: CapabilitySet?
  var ambient: CapabilitySet?
  var noNewPrivileges: Bool?
  var seccompMode: Int?
  /// The number of seccomp(2) filters (since Linux 5.9).
  var seccompFilters: Int?
  /// The IDs of the thread in its PID namespaces, from that of procfs to its own (since Linux 4.1).
  var namespaceNumbers: [UInt32]?

  /// Parses the known, well-formed lines, and ignores all others.
  init(parsing bytes: [UInt8]) {
    for line in ByteScanner.split(bytes[...], at: ByteScanner.newline) {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let words = ByteScanner.words(line[(colon + 1)...])
      switch String(decoding: line[..<colon], as: UTF8.self) {
      case "Uid": users = Self.four(words)
      case "Gid": groups = Self.four(words)
      case "Groups": supplementaryGroups = Self.numbers(words)
      case "CapInh": inheritable = Self.set(words)
      case "CapPrm": permitted = Self.set(words)
      case "CapEff": effective = Self.set(words)
      case "CapBnd": bounding = Self.set(words)
      case "CapAmb": ambient = Self.set(words)
      case "NoNewPrivs": noNewPrivileges = words.first.flatMap(ByteScanner.number).map { $0 != 0 }
      case "Seccomp": seccompMode = words.first.flatMap(ByteScanner.number).map { Int($0) }
      case "Seccomp_filters":
        seccompFilters = words.first.flatMap(ByteScanner.number).map { Int($0) }
      case "NSpid": namespaceNumbers = Self.numbers(words)
      default: continue
      }
    }
  }

  private static func four(_ words: [ArraySlice<UInt8>]) -> [UInt32]? {
    numbers(words).flatMap { $0.count == 4 ? $0 : nil }
  }

  private static func numbers(_ words: [ArraySlice<UInt8>]) -> [UInt32]? {
    let numbers = words.compactMap(ByteScanner.number)
    return numbers.count == words.count ? numbers : nil
  }

  private static func set(_ words: [ArraySlice<UInt8>]) -> CapabilitySet? {
    guard words.count == 1 else { return nil }
    return ByteScanner.hexadecimal(words[0]).map(CapabilitySet.init(bits:))
  }
}

/// The credentials of the calling thread that determine its access to files, for comparison only.
///
/// Reading them takes four system calls, while the complete subject also requires files in procfs.
/// A change to an effective ID also changes the filesystem ID (credentials(7)). The real and saved
/// IDs do not affect access.
struct CredentialStamp: Equatable, Sendable {
  private let fileUser: Int32
  private let fileGroup: Int32
  private let groups: [UInt32]?
  private var (effective, permitted, inheritable): (UInt64, UInt64, UInt64) = (0, 0, 0)

  /// Reads the credentials of the calling thread.
  init() {
    // An invalid ID is not set, so the call only returns the current ID (setfsuid(2)).
    fileUser = setfsuid(uid_t.max)
    fileGroup = setfsgid(gid_t.max)
    groups = CredentialObserver.supplementaryGroups()
    unsafe clinux_capabilities(&effective, &permitted, &inheritable)
  }
}
