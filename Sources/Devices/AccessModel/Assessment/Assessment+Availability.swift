extension Assessment {
  /// The availability of the object, according to what was observed.
  var availability: Availability {
    switch answer {
    case .absent: .absent
    case .allowed: isBusy ? .busy : .present
    case .refused, .undetermined: isBusy ? .busy : isSeen ? .present : .unknown
    }
  }

  /// A Boolean value that indicates whether the object or its device was observed.
  ///
  /// If the walk is refused before it reaches the object, the object may not exist.
  private var isSeen: Bool {
    if case .denied(.noSuchFile) = decision.outcome { return false }
    return object != nil || device?.node != nil || access.creationDirectory != nil
      || access.nodes.contains { $0.path.isSame(as: access.request.path) }
  }
}
