extension Comparison {
  /// Withdraws a grant of a device that a probe did not open.
  ///
  /// Without the requested attempt, there is no evidence that the device can be opened.
  mutating func takeWithheldOpening(of facts: borrowing AccessFacts, at path: String) {
    guard verdict == .granted, facts.withheldOpening(at: path) != nil else { return }
    verdict = .undecided
    certainty = .undecided
  }
}

extension AccessFacts {
  /// Returns the side effect of opening a device.
  ///
  /// - Parameter node: The node of the device.
  /// - Returns: The effect; `nil` if none is known.
  public func openingEffect(of node: Node) -> OpeningEffect? {
    let device = devices.first { device in
      device.number == node.rdev && (device.subsystem == "block") == (node.type == .blockDevice)
    }
    return OpeningEffect(of: node, device)
  }

  /// Records that a probe did not open a device.
  package mutating func withholdOpening(at path: String, _ effect: OpeningEffect) {
    unobserved.append(
      Unobserved(Unobserved.openingLayer, at: path, reason: "opening it \(effect.words)"))
  }

  /// Returns the reason why a probe did not open a device, as one clause; `nil` if there is none.
  package func withheldOpening(at path: String) -> String? {
    unobserved.first { $0.layer == Unobserved.openingLayer && $0.at == path }?.reason
  }
}

extension Assessment {
  /// The reason why the device was not opened; `nil` if the answer does not depend on that.
  var withheldOpening: String? {
    guard case .granted = decision.outcome, verdict == .undecided, disagreement == nil else {
      return nil
    }
    return facts.withheldOpening(at: access.request.path).map { "it was not opened, because \($0)" }
  }
}
