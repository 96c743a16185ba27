extension Assessment {
  /// Whether there is anything to have permission for, as far as is known.
  var availability: Availability {
    switch answer {
    case .absent: .absent
    case .allowed: isBusy ? .busy : .present
    case .refused, .undetermined: isBusy ? .busy : isSeen ? .present : .unknown
    }
  }

  /// Whether the object, or the device that the path means, was observed.
  ///
  /// A walk can be refused before it comes to the object; then there may be none.
  private var isSeen: Bool {
    if case .denied(.noSuchFile) = decision.outcome { return false }
    return object != nil || device?.node != nil || access.creationDirectory != nil
      || access.nodes.contains { $0.path.isSame(as: access.request.path) }
  }
}
