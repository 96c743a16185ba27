extension DesktopPortal: FilePortal {
  @concurrent
  public func choose(_ request: PortalFileRequest) async -> PortalFileReply {
    await PortalExchange.files(request, on: address)
  }
}
