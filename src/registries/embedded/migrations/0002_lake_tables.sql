CREATE TABLE "registry"."lake_commits" (
	"entity_id" text NOT NULL,
	"version" bigint NOT NULL,
	"timestamp" bigint NOT NULL,
	"file_name" text NOT NULL,
	"file_size" bigint NOT NULL,
	"file_modification_timestamp" bigint NOT NULL,
	"backfilled" boolean DEFAULT false NOT NULL,
	CONSTRAINT "lake_commits_entity_id_version_pk" PRIMARY KEY("entity_id","version")
);
--> statement-breakpoint
CREATE TABLE "registry"."lake_leftovers" (
	"entity_id" text PRIMARY KEY NOT NULL,
	"metalake" text COLLATE "C" NOT NULL,
	"location" text NOT NULL,
	"dropped_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "registry"."lake_past_commits" (
	"entity_id" text NOT NULL,
	"version" bigint NOT NULL,
	"file_name" text NOT NULL,
	CONSTRAINT "lake_past_commits_entity_id_version_pk" PRIMARY KEY("entity_id","version")
);
--> statement-breakpoint
CREATE TABLE "registry"."lake_reservations" (
	"id" text PRIMARY KEY NOT NULL,
	"metalake" text COLLATE "C" NOT NULL,
	"catalog_id" text NOT NULL,
	"schema_id" text NOT NULL,
	"name" text NOT NULL,
	"location" text COLLATE "C" NOT NULL,
	"created_by" text,
	"created_at" bigint NOT NULL,
	"finalised_at" bigint
);
--> statement-breakpoint
CREATE TABLE "registry"."lake_tables" (
	"entity_id" text PRIMARY KEY NOT NULL,
	"location" text COLLATE "C" NOT NULL,
	"table_type" text NOT NULL,
	"format" text NOT NULL,
	"columns" jsonb NOT NULL,
	"uniform" jsonb,
	"metadata_version" bigint NOT NULL,
	"metadata_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "registry"."catalogs" ADD COLUMN "storage_root" text;--> statement-breakpoint
ALTER TABLE "registry"."tombstones" ADD COLUMN "lake_table" jsonb;--> statement-breakpoint
ALTER TABLE "registry"."lake_commits" ADD CONSTRAINT "lake_commits_entity_id_entities_id_fk" FOREIGN KEY ("entity_id") REFERENCES "registry"."entities"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "registry"."lake_past_commits" ADD CONSTRAINT "lake_past_commits_entity_id_entities_id_fk" FOREIGN KEY ("entity_id") REFERENCES "registry"."entities"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "registry"."lake_tables" ADD CONSTRAINT "lake_tables_entity_id_entities_id_fk" FOREIGN KEY ("entity_id") REFERENCES "registry"."entities"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "lake_reservations_by_location" ON "registry"."lake_reservations" USING btree ("location");--> statement-breakpoint
CREATE INDEX "lake_reservations_open" ON "registry"."lake_reservations" USING btree ("catalog_id","created_at") WHERE "registry"."lake_reservations"."finalised_at" is null;--> statement-breakpoint
CREATE INDEX "lake_tables_by_location" ON "registry"."lake_tables" USING btree ("location");--> statement-breakpoint
CREATE INDEX "entities_with_root" ON "registry"."entities" USING btree ("id") WHERE "registry"."entities"."kind" = 'schema' and "registry"."entities"."storage_location" is not null;