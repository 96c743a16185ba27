internal import AccessModel

/// Facts that drivers and filesystems check on open, in addition to the permissions.
extension LinuxObservation {
  mutating func restrictsKernelLog() -> Bool? {
    let path = "\(roots.proc)/sys/kernel/dmesg_restrict"
    return told("dmesg_restrict", at: path, orElse: "it is not a number") { () throws(Errno) in
      Int(try BoundedFile.line(path, limit: 16)).map { $0 != 0 }
    }
  }

  mutating func interpreter(of file: Node) -> String? {
    do throws(Errno) {
      let bytes = try BoundedFile.readHeld(view.root + file.path, limit: 256).bytes
      return bytes.starts(with: "#!".utf8) ? UnitProgramSearch.interpreter(in: bytes) : nil
    } catch {
      note(Unobserved("interpreter", at: file.path, reason: error.reason))
      return nil
    }
  }

  mutating func lockdown() -> LockdownLevel? {
    let modules = SecurityModules(roots: roots)
    return told("lockdown", at: modules.lockdownPath, orElse: "it names no level") {
      () throws(Errno) in
      try modules.lockdown()
    }
  }

  mutating func hasTerminal() -> Bool? {
    // A process that has not started yet may get a terminal.
    guard let process = view.process else {
      note(Unobserved("terminal", reason: "known only for a running process; use --pid"))
      return nil
    }
    let path = "\(process)/stat"
    return told("terminal", at: path, orElse: "it is malformed") { () throws(Errno) in
      ProcessStat(parsing: try BoundedFile.read(path, limit: 4096).bytes)?.hasTerminal
    }
  }

  /// Returns the value that a file contains, or records why it is unknown and returns `nil`.
  private mutating func told<Value>(
    _ layer: String, at path: String, orElse problem: String,
    _ look: () throws(Errno) -> Value?
  ) -> Value? {
    var reason = problem
    do throws(Errno) {
      if let value = try look() { return value }
    } catch {
      reason = error.reason
    }
    note(Unobserved(layer, at: path, reason: reason))
    return nil
  }
}
