public import AccessModel

/// The whole answer to a request.
public struct AccessAnswer: Hashable, Sendable {
  /// The request.
  public var request: AccessRequest
  /// The road that led to access; `nil` where none did.
  public var road: AccessRoad?
  /// What the service keeps the descriptor under, for ``PermissionsService/take(_:)``; `nil` without access.
  ///
  /// A device that is allowed and could not be opened, such as a busy one, is no access.
  public var token: AccessToken?
  /// For how long access was given; `nil` without.
  public var term: AccessTerm?
  /// Every road that was tried, in that order; the one that led to access is the last.
  public var trials: [AccessTrial]
  /// The status, with its reason where access was not given.
  public var report: PermissionReport
  /// How each level of the album stands; `nil` for anything else.
  public var album: AlbumReport?
  /// The diagnosis of the device or directory; `nil` where the machine could not be observed.
  public var explanation: Explanation?
  /// What opening the device does by itself; `nil` where it was not to be opened, and where nothing
  /// is known.
  public var opening: OpeningEffect?
  /// Where a person changes a refusal; `nil` where access was given, or nothing is known.
  public var settings: SettingsLink?
}

extension AccessAnswer {
  /// What the request came to: `allowed` only where a road led to access.
  ///
  /// Where no road that was named did, a device that may be opened counts as refused here, and so does
  /// one that is busy: ``report`` is about the device, and this about what was asked for.
  public var outcome: Answer {
    if trials.last?.outcome == .withheld { return .refused }
    return road == nil && report.answer == .allowed ? .refused : report.answer
  }

  /// Why access was not given, or why a device that is allowed could not be opened, as one sentence;
  /// `nil` where nothing is known.
  ///
  /// It may hold untrusted text.
  public var reason: String? {
    let isUsable = report.answer == .allowed && token == nil
    guard isUsable || trials.last?.outcome == .withheld else { return report.reason }
    return trials.isEmpty ? "The request names no method." : trials.last?.reason
  }
}
