public import AccessModel
internal import DeviceWatching
public import LinuxDevices

/// The source that reports the revocation of access.
enum AccessWatch: Sendable {
  /// The facts about a device.
  case device(any Machine, Question, AccessObject, granted: PermissionStatus)
  /// The connection, and the stored answer of an application; the identifier is `nil` if it is not
  /// known.
  case portal(any CameraPortal, application: String?, HeldConnection)

  /// Starts watching.
  ///
  /// - Parameter descriptor: The descriptor that was given, which must be open during the call.
  /// - Returns: A stream that delivers the revocation if there is one, and then finishes.
  func revocations(of descriptor: Int32) -> AsyncStream<AccessRevocation> {
    let peer = connection?.watch(descriptor)
    return AsyncStream(bufferingPolicy: .bufferingOldest(1)) { continuation in
      let task = Task(name: "access") {
        if let revocation = await first(peer) { continuation.yield(revocation) }
        continuation.finish()
      }
      continuation.onTermination = { _ in
        task.cancel()
        if let peer { connection?.end(peer) }
      }
    }
  }

  /// Ends the watch on the connection, which must not outlive the owner's descriptor.
  func close() { connection?.close() }

  private var connection: HeldConnection? {
    guard case .portal(_, _, let connection) = self else { return nil }
    return connection
  }

  /// Waits for the revocation; returns `nil` if none can be detected.
  private func first(_ peer: PeerWatch?) async -> AccessRevocation? {
    switch self {
    case .device(let machine, let question, let object, let granted):
      while !Task.isCancelled {
        do throws(DeviceError) {
          for try await scan in FactsScans(machine: machine, questions: [question]) {
            guard let facts = scan.facts[0] else { continue }
            let explanation = facts.explain()
            let revocation = AccessRevocation(explanation, of: object, granted: granted)
            if let revocation { return revocation }
            // The device was removed and added again between two observations, so the descriptor
            // belongs to the old device.
            if let node = explanation.device?.node, scan.arrivals.contains(node) { return .removed }
          }
          return nil
        } catch {
          // The caller would take the end of the stream to mean that access is not revoked. If
          // descriptors or memory are missing, the next observation may succeed, so try again.
          guard error.mayPass else { return nil }
          await OneShotTimer.wait(until: .now.advanced(by: .seconds(1)))
        }
      }
      return nil
    case .portal(let portal, let application, _):
      return await withTaskGroup(of: AccessRevocation?.self) { group in
        group.addTask {
          guard let peer else { return nil }
          for await _ in peer.hangUps { return .disconnected }
          return nil
        }
        group.addTask { await Self.changedAnswer(portal, application) }
        // If one task ends without a revocation, the other continues.
        for await revocation in group where revocation != nil {
          group.cancelAll()
          return revocation
        }
        return nil
      }
    }
  }

  private static func changedAnswer(
    _ portal: any CameraPortal, _ application: String?
  ) async -> AccessRevocation? {
    guard let application else { return nil }
    for await permission in portal.permissions(of: application) {
      switch permission {
      case .answer(.yes), .unread: continue
      case .answer(let answer): return .storedAnswer(answer)
      case .nothing: return .storedAnswer(nil)
      }
    }
    return nil
  }
}

extension AccessRevocation {
  /// Creates the revocation that an explanation implies; `nil` if the device may still be used.
  ///
  /// - Parameters:
  ///   - explanation: The current explanation.
  ///   - object: The device that access was given to.
  ///   - granted: The status when access was given.
  init?(_ explanation: Explanation, of object: AccessObject, granted: PermissionStatus) {
    switch explanation.answer {
    case .allowed:
      guard AccessObject(explanation) != object else { return nil }
      self = .removed
    case .absent: self = .removed
    case .undetermined: return nil
    case .refused:
      guard AccessObject(explanation) == object else {
        self = .removed
        return
      }
      // A capability or the broker bypassed the refusal, which still applies.
      if explanation.status == granted { return nil }
      let code = explanation.cause?.code
      self = code == .uaccessNotActive ? .sessionInactive : .refused(code)
    }
  }
}

/// The reason why access was revoked.
public enum AccessRevocation: Hashable, Sendable {
  /// The device was unplugged, or another device took its node.
  case removed
  /// The user's session is no longer the active one of its seat.
  case sessionInactive
  /// The device is now refused; the associated value is the cause, if it is known.
  case refused(CauseCode?)
  /// The stored answer is no longer yes; the associated value is `nil` if the answer was deleted.
  case storedAnswer(PortalStoredAnswer?)
  /// PipeWire ended the connection that the portal returned, for example because PipeWire
  /// restarted.
  case disconnected
}

/// Identifies a device, even if another device takes its node later.
struct AccessObject: Hashable, Sendable {
  let path: String
  let sysfsPath: String?

  init(_ explanation: Explanation) {
    path = explanation.path
    sysfsPath = explanation.device?.sysfsPath
  }

  init(_ candidate: Explanation.Candidate) {
    path = candidate.path
    sysfsPath = candidate.device?.sysfsPath
  }

  /// Creates the identity of a directory.
  init(directory path: String) {
    self.path = path
    sysfsPath = nil
  }
}
