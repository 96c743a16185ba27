extension Comparison {
  /// Takes back a grant of a device that a probe left closed: without the attempt that was asked for,
  /// nothing shows that it opens.
  mutating func takeWithheldOpening(of facts: borrowing AccessFacts, at path: String) {
    guard verdict == .granted, facts.withheldOpening(at: path) != nil else { return }
    verdict = .undecided
    certainty = .undecided
  }
}

extension AccessFacts {
  /// What opening a device does by itself; `nil` where nothing is known.
  ///
  /// - Parameter node: The node of the device.
  /// - Returns: The effect.
  public func openingEffect(of node: Node) -> OpeningEffect? {
    let device = devices.first { device in
      device.number == node.rdev && (device.subsystem == "block") == (node.type == .blockDevice)
    }
    return OpeningEffect(of: node, device)
  }

  /// Notes that a probe left a device closed.
  package mutating func withholdOpening(at path: String, _ effect: OpeningEffect) {
    unobserved.append(
      Unobserved(Unobserved.openingLayer, at: path, reason: "opening it \(effect.words)"))
  }

  /// The reason why a probe left a device closed, as one clause; `nil` where it did not.
  package func withheldOpening(at path: String) -> String? {
    unobserved.first { $0.layer == Unobserved.openingLayer && $0.at == path }?.reason
  }
}

extension Assessment {
  /// The reason why the device was left closed, where the answer depends on that.
  var withheldOpening: String? {
    guard case .granted = decision.outcome, verdict == .undecided, disagreement == nil else {
      return nil
    }
    return facts.withheldOpening(at: access.request.path).map { "it was not opened, because \($0)" }
  }
}
