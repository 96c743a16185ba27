internal import AccessModel
internal import MessageBus

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
