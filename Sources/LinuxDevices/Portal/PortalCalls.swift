internal import AccessModel
internal import MessageBus

/// The names and calls of the portals of cameras and files, and of what is around them.
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

  /// Has the bus tell when the portal ends.
  static let followPortal = BusCall.followOwner(of: portal)

  /// Has the bus deliver the answers to requests of a caller.
  ///
  /// Portals before version 0.9 choose the last part of the path themselves.
  static func followRequests(of name: String) -> BusCall {
    match(
      "type='signal',sender='\(portal)',interface='\(requestInterface)',member='Response',"
        + "path_namespace='\(requests(of: name))'")
  }

  /// Has the bus tell what changes in the store.
  static let followStore = match(
    "type='signal',sender='\(store)',interface='\(store)',member='Changed',arg0='devices'")

  private static func match(_ rule: String) -> BusCall { .bus("AddMatch", [.text(rule)]) }

  // MARK: The portal

  /// The object above all requests of a caller.
  private static func requests(of name: String) -> String {
    "\(object)/request/\(name.dropFirst().replacing(".", with: "_"))"
  }

  /// Names the object of a request, as the portal does, after the caller and its token.
  ///
  /// - Parameters:
  ///   - name: The caller's unique name on the bus, such as `:1.7`.
  ///   - token: The token.
  /// - Returns: The path of the object.
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
      // No window of the caller is named for it to belong to.
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

  /// A path as the portal takes it: its bytes with a zero at the end; `nil` for what cannot be one.
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
