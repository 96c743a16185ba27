internal import AccessModel
package import MessageBus

/// The names and D-Bus calls of the camera portal, the file chooser and the permission store.
enum PortalCalls {
  static let portal = "org.freedesktop.portal.Desktop"
  static let object = "/org/freedesktop/portal/desktop"
  static let store = "org.freedesktop.impl.portal.PermissionStore"
  static let requestInterface = "org.freedesktop.portal.Request"
  static let notAllowed = "org.freedesktop.portal.Error.NotAllowed"
  static let notFound = "org.freedesktop.portal.Error.NotFound"
  private static let camera = "org.freedesktop.portal.Camera"
  private static let storeObject = "/org/freedesktop/impl/portal/PermissionStore"

  // MARK: The bus

  static let hasOwner = BusCall.bus("NameHasOwner", [.text(portal)])
  static let activatable = BusCall.bus("ListActivatableNames", [])

  /// Subscribes to changes of the portal's bus name, to notice when the portal exits.
  static let followPortal = BusCall.followOwner(of: portal)

  /// Subscribes to the answers to a caller's requests.
  ///
  /// Portals before version 0.9 choose the last path component of the request themselves.
  static func followRequests(of name: String) -> BusCall {
    match(
      "type='signal',sender='\(portal)',interface='\(requestInterface)',member='Response',"
        + "path_namespace='\(requests(of: name))'")
  }

  /// Subscribes to changes of the permission store.
  static let followStore = match(
    "type='signal',sender='\(store)',interface='\(store)',member='Changed',arg0='devices'")

  private static func match(_ rule: String) -> BusCall { .bus("AddMatch", [.text(rule)]) }

  // MARK: The portal

  /// Returns the path below which the portal creates a caller's request objects.
  private static func requests(of name: String) -> String {
    "\(object)/request/\(name.dropFirst().replacing(".", with: "_"))"
  }

  /// Returns the path that the portal gives to a request object.
  ///
  /// - Parameters:
  ///   - name: The caller's unique name on the bus, such as `:1.7`.
  ///   - token: The caller's token for the request.
  /// - Returns: The object path.
  static func requestPath(of name: String, _ token: String) -> String {
    "\(requests(of: name))/\(token)"
  }

  static func register(_ application: String) -> BusCall {
    BusCall(
      portal, object, "org.freedesktop.host.portal.Registry", "Register",
      [.text(application), .dictionary([:])])
  }

  static func accessCamera(_ token: String) -> BusCall {
    BusCall(
      portal, object, camera, "AccessCamera", [.dictionary(["handle_token": .text(token)])])
  }

  static func openFile(_ request: PortalFileRequest, _ token: String) -> BusCall {
    BusCall(
      portal, object, "org.freedesktop.portal.FileChooser", "OpenFile",
      // The dialog has no parent window.
      [
        .text(""), .text(request.title),
        .dictionary([
          "handle_token": .text(token), "multiple": .boolean(true),
          "accept_label": request.acceptLabel.map { .text($0) },
          "filters": .array(of: "(sa(us))", PortalFileFilter.all.map(\.argument)),
          "current_folder": request.folder.flatMap(folder),
        ]),
      ])
  }

  /// Encodes a path for the portal, as its bytes with a terminating NUL.
  ///
  /// Returns `nil` if it is not a valid absolute path.
  private static func folder(_ path: String) -> BusArgument? {
    let bytes = ByteText(path).bytes
    guard bytes.first == UInt8(ascii: "/"), !bytes.contains(0), bytes.count < AbsolutePath.longest
    else { return nil }
    return .bytes(bytes + [0])
  }

  static let openRemote = BusCall(
    portal, object, camera, "OpenPipeWireRemote", [.dictionary([:])], startsService: false)

  static func close(_ request: String) -> BusCall {
    BusCall(portal, request, requestInterface, "Close", startsService: false)
  }

  static let isCameraPresent = BusCall(
    portal, object, "org.freedesktop.DBus.Properties", "Get",
    [.text(camera), .text("IsCameraPresent")], startsService: false)

  // MARK: The permission store

  static let lookup = BusCall(
    store, storeObject, store, "Lookup", [.text("devices"), .text("camera")], startsService: false)

  static func set(_ answer: PortalStoredAnswer, for application: String) -> BusCall {
    BusCall(
      store, storeObject, store, "SetPermission",
      [
        .text("devices"), .boolean(true), .text("camera"), .text(application),
        .texts([answer.rawValue]),
      ])
  }

  static func forget(_ application: String) -> BusCall {
    BusCall(
      store, storeObject, store, "DeletePermission",
      [.text("devices"), .text("camera"), .text(application)])
  }
}

/// Parses the replies of a portal and the permission store, which may be malformed.
package enum PortalReplyParser {
  /// Returns the answer in a `Response`, or `nil` if the message contains none.
  package static func response(_ values: [BusValue]) -> PortalResponse? {
    guard values.count == 2, let code = values[0].unsigned, values[1].elements != nil else {
      return nil
    }
    return PortalResponse(rawValue: code)
  }

  /// Returns the object path of a request, or `nil` if the values contain none.
  package static func requestPath(_ values: [BusValue]) -> String? {
    guard values.count == 1, let path = values[0].text,
      path.hasPrefix("\(PortalCalls.object)/request/")
    else { return nil }
    return path
  }

  /// Returns the descriptor in a reply, or `nil` if the reply contains none.
  package static func remote(_ values: [BusValue]) -> BusDescriptor? {
    values.count == 1 ? values[0].descriptor : nil
  }

  /// Returns the stored answer for an application from the store's reply to `Lookup`.
  package static func permission(_ values: [BusValue], of application: String) -> PortalPermission {
    guard let entries = values.first?.elements else {
      return .unread("the permission store sent an invalid reply")
    }
    // Each entry contains an application and its permissions, which are a single word for the
    // camera.
    for entry in entries {
      guard let pair = entry.elements, pair.count == 2, let name = pair[0].text,
        let words = pair[1].texts
      else { return .unread("the permission store sent an invalid reply") }
      guard name == application else { continue }
      // The portal treats any other word as a missing answer.
      guard words.count == 1, let answer = PortalStoredAnswer(rawValue: words[0]) else {
        return .unread("the permission store contains an unknown answer")
      }
      return .answer(answer)
    }
    return .nothing
  }

  /// Returns the files in the results of a dialog, or `nil` if the results name none.
  package static func files(_ results: BusValue) -> PortalFileReply? {
    guard let uris = results[key: "uris"]?.elements else { return nil }
    var reply = PortalFileReply(choosing: [])
    var known: Set<String> = []
    for uri in uris {
      guard known.count + reply.unusable.count < PortalFileReply.mostFiles else {
        reply.isComplete = false
        return reply
      }
      guard let uri = uri.text else {
        reply.unusable.append(UnusableURI("", reason: "it is not a string, or it is too long"))
        continue
      }
      do throws(FileURI.Problem) {
        let path = try FileURI.path(uri)
        if known.insert(path).inserted { reply.paths.append(path) }
      } catch {
        reply.unusable.append(UnusableURI(uri, reason: error.clause))
      }
    }
    return reply
  }

  /// Returns the value of a Boolean property, or `nil` for any other value.
  package static func flag(_ values: [BusValue]) -> Bool? {
    values.count == 1 ? values[0].boolean : nil
  }
}

/// The response code in the portal's `Response` signal.
package enum PortalResponse: UInt64, Hashable, Sendable {
  case granted = 0
  case refused = 1
  case interrupted = 2

  var outcome: PortalOutcome {
    switch self {
    case .granted: .granted
    case .refused: .refused
    case .interrupted: .interrupted
    }
  }
}
