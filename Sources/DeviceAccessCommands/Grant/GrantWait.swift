internal import DevicePermissions
internal import LinuxDevices

/// Waits for the end of a grant that no timer ends.
struct GrantWait {
  /// On the clock of ``GrantReport/uptime``.
  let deadline: Int64
  /// Tells when the command is to end before.
  let ending: AsyncStream<Void>?

  func wait() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        while !Task.isCancelled {
          let rest = deadline - GrantReport.uptime
          guard rest > 0 else { return }
          await Pause.wait(until: .now.advanced(by: .seconds(rest)))
        }
      }
      if let ending {
        group.addTask { for await _ in ending { return } }
      }
      await group.next()
      group.cancelAll()
    }
  }
}
