internal import DevicePermissions
internal import LinuxDevices

/// Waits for the end of a grant that has no timer.
struct GrantWait {
  /// The time at which the grant ends, on the clock of ``GrantReport/uptime``.
  let deadline: Int64
  /// A stream that yields when the command should end early; `nil` if there is none.
  let ending: AsyncStream<Void>?
  /// Waits until another program ends the grant, and returns `false` if that cannot be observed.
  let revocation: @Sendable () async -> Bool

  /// Waits for the deadline, an early end or a revocation, whichever is first.
  ///
  /// - Returns: `true` if another program ended the grant.
  func wait() async -> Bool {
    await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        while !Task.isCancelled {
          let rest = deadline - GrantReport.uptime
          guard rest > 0 else { return false }
          await OneShotTimer.wait(until: .now.advanced(by: .seconds(rest)))
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
        // A revocation cannot be observed, so one of the other tasks ends the wait.
        while !Task.isCancelled {
          await OneShotTimer.wait(until: .now.advanced(by: .seconds(3600)))
        }
        return false
      }
      let isRevoked = await group.next() ?? false
      group.cancelAll()
      return isRevoked
    }
  }
}
