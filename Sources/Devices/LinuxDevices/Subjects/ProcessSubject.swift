internal import AccessModel
internal import CLinux
internal import Glibc

/// A running process as `/proc/PID` shows it (proc(5)).
///
/// Reading its root directory, its environment and some of its links requires the permission to
/// trace it (ptrace(2), `PTRACE_MODE_READ_FSCREDS`). Facts that are missing without this permission
/// are recorded as unobserved.
struct ProcessSubject {
  let roots: MachineRoots
  let own: SubjectView

  /// Returns the view of a process.
  ///
  /// - Throws: `noSubject` if the process does not exist or ends during the call, `unavailable` if
  ///   the caller is not permitted to inspect it, or `exhausted` if resources are lacking.
  func view(of number: Int32) throws(DeviceError) -> SubjectView {
    let directory = try open(number)
    let status = try Self.status(of: directory, number)
    var view = own
    view.unobserved = []
    view.directory = (directory, status)
    view.process = directory.path
    let credentials = CredentialObserver(roots: roots)
      .observe(process: directory.path, reader: (own.subject.userNamespace, own.translator))
    view.subject = credentials.subject
    view.seccompMode = credentials.seccompMode
    view.unobserved = credentials.unobserved
    view.mounts = MountTable.read("\(directory.path)/mountinfo", &view.unobserved)
    findRoot(of: directory, in: &view)
    let name = try? BoundedFile.line("\(directory.path)/comm", limit: 64)
    view.origin = SubjectOrigin(.process, name: name, pid: number)
    view.environment = environment(of: directory, &view.unobserved)
    view.session = .process(number)
    view.checker = .none("the kernel can check only the calling process")
    return view
  }

  /// Returns the credentials of a process that has not ended.
  ///
  /// - Throws: `noSubject` if it has ended, `unavailable` or `exhausted` if that cannot be
  ///   determined.
  static func status(
    of directory: ProcessDirectory, _ number: Int32
  ) throws(DeviceError) -> ThreadStatus {
    do throws(Errno) {
      if let status = try directory.status() { return status }
    } catch {
      throw DeviceError(unableTo: "inspect process", String(number), error)
    }
    throw absent(number)
  }

  static func absent(_ number: Int32) -> DeviceError {
    DeviceError(.noSubject, operation: "find process", path: String(number))
  }

  private func open(_ number: Int32) throws(DeviceError) -> ProcessDirectory {
    guard number > 0 else { throw Self.absent(number) }
    let proc = roots.proc
    do throws(Errno) {
      return try ProcessDirectory(number, proc: proc)
    } catch {
      guard error == .noSuchFile || error == .noSuchProcess else {
        throw DeviceError(unableTo: "inspect process", String(number), error)
      }
      // procfs might not be mounted, or might hide the processes of other users (hidepid=).
      guard let failure = proc == "/proc" ? Self.signalFailure(number) : .noSuchProcess else {
        throw DeviceError(unableTo: "inspect process", String(number), error)
      }
      if failure == .noSuchProcess { throw Self.absent(number) }
      throw DeviceError(unableTo: "inspect process", String(number), .permissionDenied)
    }
  }

  /// Returns the error from sending signal 0 to a process; `nil` if it could be signalled.
  private static func signalFailure(_ number: Int32) -> Errno? {
    kill(number, 0) == 0 ? nil : .current
  }

  /// Determines the path to the subject's root directory.
  ///
  /// Without the permission to trace the process, the ID of its root mount is compared with the
  /// caller's. If they are equal, the process has the same root directory, because the mount table
  /// lists only mounts below the root directory.
  private func findRoot(of directory: ProcessDirectory, in view: inout SubjectView) {
    let root = "\(directory.path)/root"
    var status = stat()
    if unsafe stat("\(root)/", &status) == 0 {
      view.root = root
      return
    }
    let failure = Errno.current
    if let other = view.mounts.rootID, other == own.mounts.rootID { return }
    view.root = root
    view.unobserved.append(
      Unobserved(
        "root-directory", at: "/",
        reason: "permission to trace the process is required (\(failure.reason))"))
  }

  private func environment(
    of directory: ProcessDirectory, _ unobserved: inout [Unobserved]
  ) -> @Sendable (String) -> String? {
    let path = "\(directory.path)/environ"
    var bytes: [UInt8] = []
    do throws(Errno) {
      bytes = try BoundedFile.read(path, limit: 1 << 17).bytes
    } catch {
      unobserved.append(Unobserved("environment", at: path, reason: error.reason))
    }
    var values: [String: String] = [:]
    for variable in bytes.split(separator: 0).reversed() {
      let parts = variable.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let name = String(validating: parts[0], as: UTF8.self) else {
        continue
      }
      values[name] = ByteText(bytes: parts[1]).text
    }
    return { [values] in values[$0] }
  }
}

/// An open descriptor of a process's folder in `/proc`.
///
/// It always refers to the same process. After the process has ended, every access through the
/// folder fails with `ESRCH`, even if the process ID has been reused.
final class ProcessDirectory: Sendable {
  private let descriptor: Int32

  /// Opens the folder of a process.
  ///
  /// - Throws: `ENOENT` if the process does not exist, or another error of open(2).
  init(_ number: Int32, proc: String) throws(Errno) {
    descriptor = unsafe open("\(proc)/\(number)", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .current }
  }

  deinit { close(descriptor) }

  /// A path to the open folder, independent of its name.
  var path: String { "/proc/self/fd/\(descriptor)" }

  /// Returns the current credentials of the process, or `nil` if it has ended.
  ///
  /// A zombie counts as ended, because it no longer opens files.
  ///
  /// - Throws: The error that prevents reading the status of a process that has not ended.
  func status() throws(Errno) -> ThreadStatus? {
    let contents: BoundedFile.Contents
    do throws(Errno) {
      contents = try BoundedFile.read("\(path)/status", limit: 1 << 20)
    } catch {
      // The folder of a process that has ended is empty, or reading in it fails with ESRCH.
      guard error == .noSuchProcess || error == .noSuchFile,
        SymbolicLink.target(of: path) != nil
      else { throw error }
      return nil
    }
    let state = Array("State:\t".utf8)
    let hasEnded = contents.bytes.split(separator: ByteScanner.newline).contains { line in
      guard line.starts(with: state), let letter = line.dropFirst(state.count).first else {
        return false
      }
      return letter == UInt8(ascii: "Z") || letter == UInt8(ascii: "X")
    }
    return hasEnded ? nil : ThreadStatus(parsing: contents.bytes)
  }
}
