internal import DevicePermissions
internal import LinuxDevices

/// Waits for the end of a grant that no timer ends.
struct GrantWait {
  /// On the clock of ``GrantReport/uptime``.
  let deadline: Int64
  /// Tells when the command is to end before.
  let ending: AsyncStream<Void>?
  /// Waits until another program has ended the grant, and tells whether it has.
  let revocation: @Sendable () async -> Bool

  /// - Returns: Whether another program has ended the grant.
  func wait() async -> Bool {
    await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        while !Task.isCancelled {
          let rest = deadline - GrantReport.uptime
          guard rest > 0 else { return false }
          await Pause.wait(until: .now.advanced(by: .seconds(rest)))
        }
        return false
      }
      if let ending {
        group.addTask {
          for await _ in ending { break }
          return false
        }
      }
      group.addTask {
        if await revocation() { return true }
        // Nobody notices it: the others end the wait.
        while !Task.isCancelled { await Pause.wait(until: .now.advanced(by: .seconds(3600))) }
        return false
      }
      let isRevoked = await group.next() ?? false
      group.cancelAll()
      return isRevoked
    }
  }
}
