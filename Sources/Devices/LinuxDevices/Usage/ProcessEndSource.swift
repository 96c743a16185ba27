package import AccessModel
internal import CLinux

/// Reports when a process ends.
package enum ProcessEndSource {
  /// Returns a source that calls a closure once, after a process has ended.
  ///
  /// - Parameters:
  ///   - number: The ID of the process.
  ///   - startTicks: The start time of the process, because another process may have reused the ID.
  ///   - proc: The mount point of procfs.
  ///   - body: The closure, which is called on the event loop's thread.
  /// - Throws: `ESRCH` or `ENOENT` if the process has already ended, or the error that prevents
  ///   watching it.
  /// - Returns: The source.
  package static func source(
    _ number: Int32, startedAt startTicks: UInt64, proc: String,
    _ body: @escaping @Sendable () -> Void
  ) throws(Errno) -> DescriptorSource {
    let process = try OwnedDescriptor(negated: clinux_process(number))
    let folder = try OpenDirectory("\(proc)/\(number)")
    guard try HolderObserver.stat(in: folder.descriptor)?.startTicks == startTicks else {
      throw .noSuchProcess
    }
    return DescriptorSource(process, interest: CLINUX_READABLE) { _, _ in
      body()
      return false
    }
  }
}
