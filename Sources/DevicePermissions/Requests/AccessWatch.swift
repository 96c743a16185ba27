internal import AccessModel
internal import LinuxDevices

/// What tells that access was taken back.
enum AccessWatch: Sendable {
  /// The facts of a device.
  case device(any Machine, Question, AccessObject, granted: PermissionStatus)
  /// The connection, and the stored answer of an application; `nil` where its identifier is not known.
  case portal(any CameraPortal, application: String?, HeldConnection)

  /// Begins to watch.
  ///
  /// - Parameter descriptor: The descriptor that was given, open during the call.
  /// - Returns: The revocation, if there is one.
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

  /// Ends what only the owner of the descriptor may keep.
  func close() { connection?.close() }

  private var connection: HeldConnection? {
    guard case .portal(_, _, let connection) = self else { return nil }
    return connection
  }

  /// Waits for the revocation; `nil` where nothing tells of one.
  private func first(_ peer: PeerWatch?) async -> AccessRevocation? {
    switch self {
    case .device(let machine, let question, let object, let granted):
      while !Task.isCancelled {
        do throws(DeviceError) {
          for try await look in FactsChanges(machine: machine, questions: [question]) {
            guard let facts = look.facts[0] else { continue }
            let explanation = facts.explain()
            let revocation = AccessRevocation(explanation, of: object, granted: granted)
            if let revocation { return revocation }
            // It went and is there again, between two looks: what is held was opened before.
            if let node = explanation.device?.node, look.arrivals.contains(node) { return .removed }
          }
          return nil
        } catch {
          // Whoever waits for a revocation would take the end for "never". What cannot be looked at for
          // want of descriptors or memory can be soon.
          guard error.mayPass else { return nil }
          await Pause.wait(until: .now.advanced(by: .seconds(1)))
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
        // The end of one of them without a revocation leaves the other.
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
    for await memory in portal.memories(of: application) {
      switch memory {
      case .answer(.yes), .unread: continue
      case .answer(let answer): return .storedAnswer(answer)
      case .nothing: return .storedAnswer(nil)
      }
    }
    return nil
  }
}

extension AccessRevocation {
  /// What an explanation means to whom a device was given; `nil` where it still may be used.
  ///
  /// - Parameters:
  ///   - explanation: How it is now.
  ///   - object: The device that was given.
  ///   - granted: The status under which it was given.
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
      // A capability or the broker got around the refusal, which still stands.
      if explanation.status == granted { return nil }
      let code = explanation.cause?.code
      self = code == .uaccessNotActive ? .sessionInactive : .refused(code)
    }
  }
}
