public import AccessModel

/// The complete answer to a request.
public struct AccessAnswer: Hashable, Sendable {
  /// The request.
  public var request: AccessRequest
  /// The method that gave access; `nil` if none did.
  public var road: AccessRoad?
  /// The token of the descriptor that the service keeps, for ``PermissionsService/take(_:)``; `nil`
  /// without access.
  ///
  /// A device that is allowed but could not be opened, such as a busy one, gives no access.
  public var token: AccessToken?
  /// The duration of the access; `nil` without access.
  public var term: AccessTerm?
  /// The methods that were tried, in order; if one gave access, it is the last.
  public var trials: [AccessTrial]
  /// The status, with its reason if access was not given.
  public var report: PermissionReport
  /// The status of each access level of the album; `nil` for any other object.
  public var album: AlbumReport?
  /// The diagnosis of the device or directory; `nil` if the machine could not be observed.
  public var explanation: Explanation?
  /// The side effects of opening the device; `nil` if it was not to be opened, or none is known.
  public var opening: OpeningEffect?
  /// The settings where the user can change a refusal; `nil` if access was given or none is known.
  public var settings: SettingsLink?
}

extension AccessAnswer {
  /// The outcome of the request, which is `allowed` only if a method gave access.
  ///
  /// If no requested method gave access, the outcome is `refused` even if the device may be opened,
  /// for example because the device is busy. ``report`` describes the device, and this property
  /// describes the request.
  public var outcome: Answer {
    if trials.last?.outcome == .withheld { return .refused }
    return road == nil && report.answer == .allowed ? .refused : report.answer
  }

  /// The reason why access was not given, or why an allowed device could not be opened, as one
  /// sentence; `nil` if it is not known.
  ///
  /// It may contain untrusted text.
  public var reason: String? {
    let isUsable = report.answer == .allowed && token == nil
    guard isUsable || trials.last?.outcome == .withheld else { return report.reason }
    return trials.isEmpty ? "The request names no method." : trials.last?.reason
  }
}
