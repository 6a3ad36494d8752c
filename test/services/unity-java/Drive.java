import io.unitycatalog.client.ApiClient;
import io.unitycatalog.client.ApiClientBuilder;
import io.unitycatalog.client.ApiException;
import io.unitycatalog.client.api.CatalogsApi;
import io.unitycatalog.client.api.SchemasApi;
import io.unitycatalog.client.api.TablesApi;
import io.unitycatalog.client.auth.TokenProvider;
import io.unitycatalog.client.delta.DeltaApiException;
import io.unitycatalog.client.delta.api.DeltaConfigurationApi;
import io.unitycatalog.client.delta.api.DeltaTablesApi;
import io.unitycatalog.client.delta.api.DeltaTemporaryCredentialsApi;
import io.unitycatalog.client.delta.model.*;
import io.unitycatalog.client.model.CreateCatalog;
import io.unitycatalog.client.model.CreateSchema;
import io.unitycatalog.client.model.TableInfo;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Drives a server through the published Java client, one line a step; the first surprise ends it. */
public class Drive {
  private static final String CATALOG = "java";
  private static final String SCHEMA = "s";
  private static DeltaTablesApi tables;

  public static void main(String[] args) throws Exception {
    ApiClient client =
        ApiClientBuilder.create()
            .uri(args[0])
            .tokenProvider(TokenProvider.create(Map.of("type", "static", "token", "any-token-0123456789")))
            .build();
    tables = new DeltaTablesApi(client);
    TablesApi older = new TablesApi(client);
    DeltaTemporaryCredentialsApi credentials = new DeltaTemporaryCredentialsApi(client);

    new CatalogsApi(client).createCatalog(new CreateCatalog().name(CATALOG).comment("by the Java client"));
    new SchemasApi(client).createSchema(new CreateSchema().name(SCHEMA).catalogName(CATALOG));
    same("catalog", "by the Java client", new CatalogsApi(client).getCatalog(CATALOG).getComment());
    DeltaCatalogConfig config = new DeltaConfigurationApi(client).getConfig(CATALOG, "1.0");
    same("config", "1.0", config.getProtocolVersion());

    DeltaStagingTableResponse staged =
        tables.createStagingTable(CATALOG, SCHEMA, new DeltaCreateStagingTableRequest().name("t"));
    same("staging", DeltaTableType.MANAGED, staged.getTableType());
    same("staging credentials", 1, credentials.getStagingTableCredentials(staged.getTableId()).getStorageCredentials().size());

    Map<String, String> properties = new HashMap<>(staged.getRequiredProperties());
    DeltaLoadTableResponse created =
        tables.createTable(CATALOG, SCHEMA, request("t", staged.getLocation(), DeltaTableType.MANAGED, protocol(staged), properties));
    UUID id = created.getMetadata().getTableUuid();
    same("create", staged.getTableId(), id);

    same("commit", 1L, tables.updateTable(CATALOG, SCHEMA, "t", commit(id, 1, "one.json")).getLatestTableVersion());
    same("replay", 1L, tables.updateTable(CATALOG, SCHEMA, "t", commit(id, 1, "one.json")).getLatestTableVersion());
    refused("conflict", DeltaErrorType.COMMIT_VERSION_CONFLICT_EXCEPTION, () -> tables.updateTable(CATALOG, SCHEMA, "t", commit(id, 1, "other.json")));
    refused("gap", DeltaErrorType.INVALID_PARAMETER_VALUE_EXCEPTION, () -> tables.updateTable(CATALOG, SCHEMA, "t", commit(id, 3, "three.json")));
    tables.updateTable(CATALOG, SCHEMA, "t", commit(id, 2, "two.json"));
    DeltaLoadTableResponse loaded = tables.loadTable(CATALOG, SCHEMA, "t");
    same("load", List.of(2L, 1L), loaded.getCommits().stream().map(DeltaCommit::getVersion).toList());
    same("columns", "id", loaded.getMetadata().getColumns().getFields().get(0).getName());

    DeltaLoadTableResponse backfilled =
        tables.updateTable(CATALOG, SCHEMA, "t", update(id).addUpdatesItem(new DeltaSetLatestBackfilledVersionUpdate().action("set-latest-backfilled-version").latestPublishedVersion(2L)));
    same("backfill", 0, backfilled.getCommits().size());
    same("latest after backfill", 2L, backfilled.getLatestTableVersion());

    String etag = loaded.getMetadata().getEtag();
    DeltaSetPropertiesUpdate owner = new DeltaSetPropertiesUpdate().action("set-properties").putUpdatesItem("owner", "java");
    DeltaLoadTableResponse changed =
        tables.updateTable(CATALOG, SCHEMA, "t", update(id).addRequirementsItem(new DeltaAssertEtag().type("assert-etag").etag(etag)).addUpdatesItem(owner));
    same("properties", "java", changed.getMetadata().getProperties().get("owner"));
    refused("stale etag", DeltaErrorType.UPDATE_REQUIREMENT_CONFLICT_EXCEPTION, () ->
        tables.updateTable(CATALOG, SCHEMA, "t", update(id).addRequirementsItem(new DeltaAssertEtag().type("assert-etag").etag(etag)).addUpdatesItem(owner)));

    DeltaStorageCredential credential =
        credentials.getTableCredentials(DeltaCredentialOperation.READ_WRITE, CATALOG, SCHEMA, "t").getStorageCredentials().get(0);
    same("credentials", staged.getLocation(), credential.getPrefix());

    tables.renameTable(CATALOG, SCHEMA, "t", new DeltaRenameTableRequest().newName("moved"));
    same("rename", id, tables.loadTable(CATALOG, SCHEMA, "moved").getMetadata().getTableUuid());
    refused("old name", DeltaErrorType.NO_SUCH_TABLE_EXCEPTION, () -> tables.loadTable(CATALOG, SCHEMA, "t"));

    tables.createTable(CATALOG, SCHEMA, request("outside", args[1], DeltaTableType.EXTERNAL, new DeltaProtocol().minReaderVersion(1).minWriterVersion(2), Map.of()));
    same("list", List.of("moved", "outside"), older.listTables(CATALOG, SCHEMA, 50, null).getTables().stream().map(TableInfo::getName).toList());
    same("older table", id.toString(), older.getTable(CATALOG + "." + SCHEMA + ".moved", null, null).getTableId());

    tables.deleteTable(CATALOG, SCHEMA, "moved");
    refused("delete", DeltaErrorType.NO_SUCH_TABLE_EXCEPTION, () -> tables.deleteTable(CATALOG, SCHEMA, "moved"));
    older.deleteTable(CATALOG + "." + SCHEMA + ".outside");
    new SchemasApi(client).deleteSchema(CATALOG + "." + SCHEMA, false);
    new CatalogsApi(client).deleteCatalog(CATALOG, false);
    System.out.println("done");
  }

  private static DeltaProtocol protocol(DeltaStagingTableResponse staged) {
    DeltaStagingTableResponseRequiredProtocol required = staged.getRequiredProtocol();
    return new DeltaProtocol()
        .minReaderVersion(required.getMinReaderVersion())
        .minWriterVersion(required.getMinWriterVersion())
        .readerFeatures(required.getReaderFeatures())
        .writerFeatures(required.getWriterFeatures());
  }

  private static DeltaCreateTableRequest request(
      String name, String location, DeltaTableType type, DeltaProtocol protocol, Map<String, String> properties) {
    DeltaStructField id =
        new DeltaStructField()
            .name("id")
            .type(new DeltaPrimitiveType().type("long"))
            .nullable(true)
            .metadata(new DeltaStructFieldMetadata());
    return new DeltaCreateTableRequest()
        .name(name)
        .location(location)
        .tableType(type)
        .columns(new DeltaStructType().type("struct").addFieldsItem(id))
        .protocol(protocol)
        .properties(properties)
        .lastCommitTimestampMs(1700000000000L);
  }

  private static DeltaUpdateTableRequest update(UUID id) {
    return new DeltaUpdateTableRequest()
        .addRequirementsItem(new DeltaAssertTableUUID().type("assert-table-uuid").uuid(id));
  }

  private static DeltaUpdateTableRequest commit(UUID id, long version, String file) {
    DeltaCommit commit =
        new DeltaCommit().version(version).timestamp(1700000000000L + version).fileName(file).fileSize(100L).fileModificationTimestamp(1700000000000L + version);
    return update(id).addUpdatesItem(new DeltaAddCommitUpdate().action("add-commit").commit(commit));
  }

  private interface Call {
    void run() throws ApiException;
  }

  private static void refused(String step, DeltaErrorType expected, Call call) throws Exception {
    try {
      call.run();
    } catch (ApiException error) {
      same(step, expected, DeltaApiException.from(error).orElseThrow(() -> error).getErrorType());
      return;
    }
    throw new IllegalStateException(step + ": was not refused");
  }

  private static void same(String step, Object expected, Object found) {
    if (!expected.equals(found)) throw new IllegalStateException(step + ": expected " + expected + ", found " + found);
    System.out.println("ok " + step);
  }
}
